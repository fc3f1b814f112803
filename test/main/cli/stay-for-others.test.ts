import { describe, expect, test } from 'vitest';
import { stayForOthers } from '../../../src/main/cli/stay-for-others.ts';
import type { StudyView } from '../../../src/shared/contract/runs.ts';
import { makeStudy } from '../../support/views.ts';

function world(states: readonly StudyView['state'][]) {
  const notes: string[] = [];
  let looks = 0;
  const runs = {
    list: async () => {
      const state = states[Math.min(looks++, states.length - 1)] ?? 'finished';
      return [makeStudy({ studyId: 'own', state: 'finished' }), makeStudy({ studyId: 'other', state })];
    },
  };
  return {
    client: { runs },
    output: { note: (text: string) => void notes.push(text) },
    notes,
    looks: () => looks,
  };
}

describe('stayForOthers', () => {
  test('waits for the studies of other commands, and says so once', async () => {
    const { client, output, notes, looks } = world(['running', 'paused', 'queued', 'finished']);
    await stayForOthers(client, output, new AbortController().signal, 1);
    expect(looks()).toBe(4);
    expect(notes).toEqual(['another command trains other here: this one stays until that is done']);
  });

  test('ends at once where nobody else is at work', async () => {
    const { client, output, notes, looks } = world(['stopped']);
    await stayForOthers(client, output, new AbortController().signal, 1);
    expect([looks(), notes]).toEqual([1, []]);
  });

  test('ends when it is interrupted', async () => {
    const { client, output } = world(['running']);
    const abort = new AbortController();
    const staying = stayForOthers(client, output, abort.signal, 60_000);
    abort.abort();
    await staying;
  });
});
