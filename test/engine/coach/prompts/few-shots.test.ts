import { describe, expect, test } from 'vitest';
import type { ExperienceEntry } from '../../../../src/engine/coach/memory/experience.ts';
import { tellExamples } from '../../../../src/engine/coach/prompts/few-shots.ts';
import { coachConfig, coachDependencies, roundContext } from '../../../support/coach-world.ts';
import { experienceEntry, experienceOf, rescaled, snapshotOf } from '../../../support/experience.ts';

const snapshot = snapshotOf();

function examplesOf(entries: readonly ExperienceEntry[], mode: 'rank' | 'generate' = 'rank', examples = 3) {
  const { store } = coachDependencies();
  store.texts.put(JSON.stringify(snapshot));
  const config = { ...coachConfig, memory: { examples, reuse: null, vectors: 'lexical' as const } };
  const text = tellExamples(
    roundContext({ experience: experienceOf(entries), config }),
    snapshot,
    store,
    mode,
  );
  return text === '' ? [] : text.split('\n');
}

describe('tellExamples', () => {
  test('an accepted edit that helped, with the problems there were and what it gained', () => {
    expect(examplesOf([experienceEntry()])).toEqual([
      '- with uncovered: remove reward crowding: episode_return +3 [2, 4]',
    ]);
  });

  test('a model that writes is shown the edit as it would write it, on one line', () => {
    const [line] = examplesOf([experienceEntry({ changes: [rescaled(-0.5)] })], 'generate');
    expect(line).toContain('{"op":"modify","target":"reward crowding","edl":"reward crowding');
    expect(line).toContain('\\n');
  });

  test('only what was taken over and helped, towards the same objective in the same scenario', () => {
    const lost = { meanDifference: 1, low: -1, high: 3, numPairs: 3, verdict: 'notBetter' as const };
    const { scenario, objective } = experienceEntry();
    expect(
      examplesOf([
        experienceEntry({ label: 'rejected' }),
        experienceEntry({ label: 'undecided' }),
        // The text that a person took is another one, which nobody tried.
        experienceEntry({ label: 'edited' }),
        experienceEntry({ measured: lost }),
        experienceEntry({ measured: null }),
        experienceEntry({ isRolledBack: true }),
        experienceEntry({ scenario: { ...scenario, version: scenario.version + 1 } }),
        experienceEntry({ objective: { ...objective, metric: 'coverage' } }),
        experienceEntry({ objective: { ...objective, measuredIn: 'elsewhere' } }),
      ]),
    ).toEqual([]);
  });

  test('nothing of the study itself', () => {
    const { source } = experienceEntry();
    expect(
      examplesOf([experienceEntry({ source: { ...source, study: 's1', arm: 'other', seed: 2 } })]),
    ).toEqual([]);
  });

  test('the most similar situation first, no edit twice, at most as many as are set', () => {
    const far = { 'issue other': 1 };
    const entries = [
      experienceEntry({ changes: [rescaled(-0.5)], situation: far }),
      experienceEntry(),
      experienceEntry(),
      experienceEntry({ changes: [rescaled(-0.25)], situation: far }),
    ];
    const told = examplesOf(entries);
    expect(told.map((line) => /(remove|modify)/.exec(line)?.[1])).toEqual(['remove', 'modify', 'modify']);
    expect(examplesOf(entries, 'rank', 1)).toEqual(told.slice(0, 1));
    expect(examplesOf(entries, 'rank', 0)).toEqual([]);
  });

  test('without memory there are none', () => {
    const { store } = coachDependencies();
    const context = roundContext({ experience: experienceOf([experienceEntry()]) });
    expect(tellExamples(context, snapshot, store, 'rank')).toBe('');
  });

  test('an example whose snapshot is gone is told without its problems', () => {
    expect(examplesOf([experienceEntry({ snapshotHash: '0'.repeat(64) })])).toEqual([
      '- remove reward crowding: episode_return +3 [2, 4]',
    ]);
  });
});
