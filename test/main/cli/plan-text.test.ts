import { describe, expect, test } from 'vitest';
import { formatHours, formatPlan } from '../../../src/main/cli/plan-text.ts';
import type { PlanView } from '../../../src/shared/contract/plan.ts';

const plan: PlanView = {
  name: 'spread',
  experimentPath: 'experiments/spread.yaml',
  budget: { steps: 1_000_000, rounds: 4 },
  seeds: [1, 2],
  arms: [
    {
      arm: 'coached',
      provider: 'rules',
      numRuns: 2,
      chargedSteps: 2_000_000,
      mostTrialSteps: 500_000,
      evaluations: 28,
      evaluationEpisodes: 7168,
      shortage: null,
      episodesPerTrialScore: 2048,
      measured: { numRuns: 3, isSameLearner: true, secondsPerMillionSteps: 21.4, bytesPerRound: 1e6 },
    },
  ],
  trainers: 2,
  hours: 1.5,
  bytes: 8e6,
};

const [coached] = plan.arms;
if (coached === undefined) throw new Error('the plan has an arm');
const { measured } = coached;
const withArms = (...arms: Partial<PlanView['arms'][0]>[]): PlanView => ({
  ...plan,
  arms: arms.map((change) => ({ ...coached, ...change })),
});

describe('formatPlan', () => {
  test('says which arm can try nothing, and why', () => {
    const text = formatPlan(
      withArms({ arm: 'poor', mostTrialSteps: 0, shortage: 'trials may take 5 steps' }),
    );
    expect(text).toContain('\npoor can try nothing: trials may take 5 steps.\n');
    expect(formatPlan(plan)).not.toContain('can try nothing');
  });

  test('says runs, steps, the share of trials, hours, disk, and what that rests on', () => {
    const text = formatPlan(plan);
    expect(text).toContain(
      'spread (experiments/spread.yaml): 2 runs of 1,000,000 charged steps in 4 rounds, seeds 1, 2',
    );
    expect(text).toContain('500,000 (25 %)');
    expect(text).toContain('About 1.5 hours with 2 at a time, and 8 MB on disk: medians of 3 finished runs');
    // Arms that differ in their coach rest on the same.
    expect(formatPlan(withArms({}, { arm: 'fixed' }))).toContain(
      'medians of 3 finished runs with these settings of the learner in this workspace (21 s per million charged steps).',
    );
    expect(text).toMatch(/Nothing was started\.$/);
  });

  test('says whose answers are repeated', () => {
    const of = (arm: string | null) =>
      formatPlan(withArms({ provider: 'replay', replays: { study: 'spread-1a', arm } }));
    expect(of('coached')).toContain('replay of spread-1a (arm coached)');
    expect(of(null)).toMatch(/replay of spread-1a {2}/);
  });

  test('gives no time that was not measured', () => {
    const unknown = { hours: null, bytes: null };
    const text = formatPlan({ ...withArms({ measured: null }), ...unknown });
    expect(text).toContain('Time and disk: not known; no run of this scenario and algorithm has finished');
    expect(text).not.toContain('About');
    const partly = withArms({ arm: 'ippo' }, { arm: 'qmix', measured: null });
    expect(formatPlan({ ...partly, ...unknown })).toContain(
      'not known; no run of the scenario and algorithm of qmix has finished',
    );
  });

  test('says what each arm rests on where that differs', () => {
    const slow = { numRuns: 1, isSameLearner: false, secondsPerMillionSteps: 770, bytesPerRound: 1e6 };
    expect(formatPlan(withArms({ arm: 'ippo', measured }, { arm: 'qmix', measured: slow }))).toContain(
      [
        'About 1.5 hours with 2 at a time, and 8 MB on disk: medians of',
        '  ippo: 3 finished runs with these settings of the learner in this workspace (21 s per million charged steps)',
        '  qmix: 1 finished run of this algorithm with other settings in this workspace (770 s per million charged steps)',
      ].join('\n'),
    );
  });
});

describe('formatHours', () => {
  test('has the unit that fits', () => {
    expect([2.25, 0.5, 0.005, 0].map(formatHours)).toEqual([
      '2.3 hours',
      '30 minutes',
      '18 seconds',
      '1 second',
    ]);
  });
});
