import { describe, expect, test } from 'vitest';
import { readTraps } from '../../../src/engine/runs/run-traps.ts';
import type { RoundRecord } from '../../../src/engine/store/rounds.ts';

const trap = { declaration: 'boom', env: 3, episode: 12, step: 3, reason: 'division' };

function roundsOf(reports: readonly unknown[]): Parameters<typeof readTraps>[0] {
  const records = reports.map(
    (report, round): RoundRecord => ({
      runId: 'r',
      round,
      environmentHash: '',
      environmentIdentity: '',
      startedAt: 0,
      outcome:
        report === null
          ? null
          : {
              ownSteps: 0,
              chargedSteps: 0,
              objective: 0,
              parameterHash: '',
              checkpointFile: '',
              recordFile: '',
              report,
              finishedAt: 0,
            },
    }),
  );
  return { rounds: { find: () => null, listByRun: () => records } };
}

describe('readTraps', () => {
  test('adds up the rounds and names the first trap', () => {
    const reports = [
      { traps: [], numTraps: 0 },
      { traps: [trap, { ...trap, step: 4 }], numTraps: 250 },
      { traps: [{ ...trap, declaration: 'later' }], numTraps: 1 },
      null,
    ];
    expect(readTraps(roundsOf(reports), 'r')).toEqual({
      count: 251,
      first: { round: 1, declaration: 'boom', episode: 12, step: 3, reason: 'division' },
    });
  });

  test('is null without any, and counts what older records kept', () => {
    expect(readTraps(roundsOf([{ traps: [], numTraps: 0 }, null]), 'r')).toBeNull();
    expect(readTraps(roundsOf([{ traps: [trap, trap] }]), 'r')?.count).toBe(2);
  });
});
