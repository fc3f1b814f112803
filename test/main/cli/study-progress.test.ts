import { beforeEach, describe, expect, test } from 'vitest';
import { formatDuration, StudyClock } from '../../../src/main/cli/study-clock.ts';
import { StudyNarrator } from '../../../src/main/cli/study-lines.ts';
import { describeLine, StudyProgress } from '../../../src/main/cli/study-progress.ts';
import type { ProposalView } from '../../../src/shared/contract/coach.ts';
import { makeProposal, makeRun, makeStudy } from '../../support/views.ts';

const impact = { metric: 'coverage', direction: 'up', size: 'large', why: '' } as const;
const change = { op: 'remove', target: 'reward crowding', edl: '', description: '' } as const;
const body = {
  analysis: '',
  changes: [{ ...change, implementation_hint: '', expected_impact: impact }],
  wishes: [],
};
const trial = {
  state: 'concluded' as const,
  candidate: 'c',
  pairs: [],
  meanDifference: 12.2,
  low: 11,
  high: 13.1,
  wasDecided: true,
  numPairs: 6,
  probabilityOfImprovement: 1,
  chargedSteps: 100,
  verdict: 'better' as const,
};
const tried = makeProposal({ body, trial });

const linesOf = (proposal: ProposalView) => new StudyNarrator(makeStudy()).onProposal(proposal);
const wordsOf = (proposal: ProposalView) =>
  linesOf(proposal)
    .map(describeLine)
    .filter((text) => text !== null);

describe('describeLine', () => {
  test('says what an accepted proposal changes, and by how much it won', () => {
    const decision = { verdict: 'accepted', author: 'automatic', note: '', decidedAt: 1 } as const;
    expect(wordsOf({ ...tried, state: 'accepted', decision })).toEqual([
      'coached seed 1: after round 1 remove reward crowding: +12.200 [+11.000, +13.100], accepted',
    ]);
  });

  test('a rule coach that has nothing to propose has not failed', () => {
    const failure = { code: 'coach.noProposal', message: 'no rule applies' };
    expect(wordsOf(makeProposal({ state: 'failed', failure }))).toEqual([
      'coached seed 1: coach asked after round 1: nothing to propose: no rule applies',
    ]);
    expect(wordsOf(makeProposal({ state: 'failed', failure, provider: 'learned' }))[0]).toContain(
      'nothing to propose',
    );
    const broken = { code: 'model.timeout', message: 'no answer in 60 s' };
    expect(wordsOf(makeProposal({ state: 'failed', failure: broken, provider: 'llama' }))[0]).toContain(
      '60 s',
    );
  });
});

describe('StudyProgress', () => {
  let text = '';
  const stream = {
    write: (chunk: string) => {
      text += chunk;
    },
  };
  beforeEach(() => {
    text = '';
  });

  test('where there is no terminal, says after a minute without a line how far it is, and not before', () => {
    const [first, second] = [makeRun({ runId: 'a' }), makeRun({ runId: 'b', seed: 2, state: 'queued' })];
    const progress = new StudyProgress(stream, [first, second], 'review', 0);
    progress.onRun({ ...first, step: 100 }, 59_000);
    expect(text).toBe('');
    progress.onRun({ ...first, step: 250 }, 60_000);
    progress.onRun({ ...first, step: 260 }, 61_000);
    expect(text).toBe('fixed seed 1: 25% (0/2 runs, 1:00 elapsed, about 7:00 left)\n');
    for (const line of linesOf({ ...tried, state: 'awaiting' })) progress.onLine(line, 100_000);
    text = '';
    progress.onRun({ ...first, step: 500 }, 159_000);
    expect(text).toBe('');
    progress.onRun({ ...first, step: 500 }, 160_000);
    expect(text).toContain('50%');
  });

  test("a person's note moves no cursor", () => {
    const progress = new StudyProgress(stream, [makeRun()], 'review', 0);
    const decision = { verdict: 'rejected', author: 'person', note: 'no\x1b[2J', decidedAt: 1 } as const;
    for (const line of linesOf({ ...tried, state: 'rejected', decision })) progress.onLine(line, 1);
    expect(text).toContain('(no\\x1b[2J)');
  });

  test('counts what waits for a person and says how to review it', () => {
    const progress = new StudyProgress(stream, [makeRun()], 'gymwright coach review --workspace w', 0);
    for (const proposalId of ['a', 'b'])
      for (const line of linesOf({ ...tried, proposalId, state: 'awaiting' })) progress.onLine(line, 0);
    expect(text).toContain('remove reward crowding: +12.200 [+11.000, +13.100], waits for your decision');
    expect(text).toContain('2 proposals wait; to review: gymwright coach review --workspace w');
  });
});

describe('StudyClock', () => {
  const runs = [makeRun({ runId: 'a', step: 400 }), makeRun({ runId: 'b', state: 'queued' })];

  test('counts runs and estimates the rest from what was done since it began', () => {
    const clock = new StudyClock(runs, 0);
    const later = [
      makeRun({ runId: 'a', state: 'finished', step: 1000 }),
      makeRun({ runId: 'b', step: 200 }),
    ];
    expect(clock.describe(later, 80_000)).toBe('1/2 runs, 1:20 elapsed, about 1:20 left');
  });

  test('estimates nothing at the beginning and at the end', () => {
    const clock = new StudyClock(runs, 0);
    expect(clock.describe(runs, 5000)).toBe('0/2 runs, 0:05 elapsed');
    const over = runs.map((run) => ({ ...run, state: 'finished' as const }));
    expect(clock.describe(over, 5000)).toBe('2/2 runs, 0:05 elapsed');
  });

  test.each([
    [59_400, '0:59'],
    [3_725_000, '1:02:05'],
  ])('%i ms are %s', (ms, words) => expect(formatDuration(ms)).toBe(words));
});
