import { describe, expect, test } from 'vitest';
import type { TrialRequest, TrialRunner } from '../../../../src/engine/coach/types.ts';
import { runTrials, type TrialCandidate } from '../../../../src/engine/coach/whatif/run-trials.ts';
import type { EnvironmentSpec } from '../../../../src/shared/rl/vec-env.ts';
import { AppError } from '../../../../src/shared/std/app-error.ts';
import { compiled, roundContext } from '../../../support/coach-world.ts';
import { insertProposal, storeWithRun } from '../../../support/store-records.ts';
import { brokenBranch, scored } from '../../../support/trial-results.ts';

/** Candidates are told apart by a parameter of their environment. */
const candidate = (proposalId: string, size: number): TrialCandidate => ({
  proposalId,
  spec: { ...compiled().spec, parameters: { 'agent.size': size } },
});
const a = candidate('a', 0.1);
const b = candidate('b', 0.2);
const c = candidate('c', 0.3);

const plan = { stepsPerBranch: 1000, screeningPairs: 2, decidingPairs: 3 };

/** Scores by agent size; the control has none. `noise` depends on the pair alone. */
function runner(scores: Readonly<Record<string, number>>, asked: TrialRequest[] = []): TrialRunner {
  return async (request) => {
    asked.push(request);
    const noise = (request.seed % 100) / 1000;
    const scoreOf = ({ parameters }: EnvironmentSpec): number => {
      const size = parameters['agent.size'];
      return -20 + noise + (size === undefined ? 0 : (scores[size] ?? 0));
    };
    return scored(request, (i) => scoreOf(request.environments[i] as EnvironmentSpec));
  };
}

function setUp(
  candidates: readonly TrialCandidate[],
  changes: Partial<Parameters<typeof runTrials>[0]> = {},
) {
  const store = storeWithRun();
  for (const [index, { proposalId }] of candidates.entries())
    insertProposal(store, { proposalId, candidate: index });
  const context = roundContext();
  const signal = new AbortController().signal;
  const control = context.environment.spec;
  const input = { context, control, candidates, plan, store, runTrial: runner({}), signal, ...changes };
  const verdict = (id: string) => store.trials.find(id)?.summary?.verdict;
  return { store, input, verdict };
}

describe('runTrials', () => {
  test('tries control and candidates together, control first, each pair with a seed of its own', async () => {
    const asked: TrialRequest[] = [];
    const { input } = setUp([a, b], { runTrial: runner({ 0.1: 2, 0.2: 1 }, asked) });
    await runTrials(input);
    expect(asked).toHaveLength(5);
    expect(new Set(asked.map(({ seed }) => seed)).size).toBe(5);
    for (const request of asked) {
      expect(request.environments[0]).toEqual(compiled().spec);
      expect(request).toMatchObject({ steps: 1000, episodes: 64 });
    }
  });

  test('the verdict rests on fresh pairs, and says better only if all of it is better', async () => {
    const { store, input, verdict } = setUp([a, b], { runTrial: runner({ 0.1: 2, 0.2: -1 }) });
    await runTrials(input);
    expect(verdict('a')).toBe('better');
    expect(verdict('b')).toBe('notBetter');
    expect(store.trials.find('a')?.summary?.meanDifference).toBeCloseTo(2);
    expect(store.trials.find('a')?.pairs).toHaveLength(5);
  });

  test('what the first pass screened out is not tried further, and its steps are charged', async () => {
    const asked: TrialRequest[] = [];
    const { store, input } = setUp([a, b], { runTrial: runner({ 0.1: 2, 0.2: -1 }, asked) });
    await runTrials(input);
    expect(asked.map(({ environments }) => environments.length)).toEqual([3, 3, 2, 2, 2]);
    expect(store.trials.find('b')?.pairs).toHaveLength(2);
    expect(store.trials.chargedSteps('r1')).toBe(3000 + 3000 + 3 * 2000);
  });

  test('at most two survive', async () => {
    const asked: TrialRequest[] = [];
    const { input, verdict } = setUp([a, b, c], { runTrial: runner({ 0.1: 1, 0.2: 3, 0.3: 2 }, asked) });
    await runTrials(input);
    expect(asked.at(-1)?.environments).toHaveLength(3);
    expect([verdict('a'), verdict('b'), verdict('c')]).toEqual(['notBetter', 'better', 'better']);
  });

  describe('halving', () => {
    const many = [a, b, c, candidate('d', 0.4), candidate('e', 0.5)];
    const halving = { stepsPerBranch: 1000, screeningPairs: 3, rungs: [1, 1, 1], decidingPairs: 3 };
    const scores = { 0.1: -1, 0.2: 3, 0.3: 2, 0.4: 1, 0.5: -2 };
    const sizes = ({ environments }: TrialRequest) =>
      environments.slice(1).map(({ parameters }) => parameters['agent.size']);

    test('after each rung the better half goes on, and the last two are re-tested', async () => {
      const asked: TrialRequest[] = [];
      const { store, input, verdict } = setUp(many, { plan: halving, runTrial: runner(scores, asked) });
      await runTrials(input);
      expect(asked.map(sizes)).toEqual([
        [0.1, 0.2, 0.3, 0.4, 0.5],
        [0.2, 0.3, 0.4],
        [0.2, 0.3],
        [0.2, 0.3],
        [0.2, 0.3],
        [0.2, 0.3],
      ]);
      expect(['a', 'b', 'c', 'd', 'e'].map(verdict)).toEqual([
        'notBetter',
        'better',
        'better',
        'notBetter',
        'notBetter',
      ]);
      expect(store.trials.find('e')?.pairs).toHaveLength(1);
      expect(store.trials.chargedSteps('r1')).toBe(1000 * (6 + 4 + 3 + 3 * 3));
    });

    test('nobody is taken up again for one that breaks down later, also where it is gone through again', async () => {
      const breaks = (asked: TrialRequest[]): TrialRunner => {
        const run = runner(scores, asked);
        return async (request, signal) => {
          const { branches } = await run(request, signal);
          const isLate = asked.length > 3;
          return {
            branches: branches.map((branch, i) =>
              isLate && request.environments[i]?.parameters['agent.size'] === 0.2 ? brokenBranch(10) : branch,
            ),
          };
        };
      };
      const asked: TrialRequest[] = [];
      const { store, input, verdict } = setUp(many, { plan: halving, runTrial: breaks(asked) });
      await runTrials(input);
      expect(asked.map(sizes).slice(3)).toEqual([[0.2, 0.3], [0.3], [0.3]]);
      const pairs = () => ['a', 'b', 'c', 'd', 'e'].map((id) => store.trials.find(id));
      const before = pairs();
      await runTrials(input);
      expect(asked).toHaveLength(6);
      expect(pairs()).toEqual(before);
      expect([verdict('c'), verdict('d')]).toEqual(['better', 'notBetter']);
    });
  });

  test('a candidate equal to the control is not better', async () => {
    const { input, verdict } = setUp([a], { plan: { ...plan, screeningPairs: 0 }, runTrial: runner({}) });
    await runTrials(input);
    expect(verdict('a')).toBe('notBetter');
  });

  test('two lost pairs end it early', async () => {
    const asked: TrialRequest[] = [];
    const { input } = setUp([a], {
      plan: { ...plan, screeningPairs: 0, decidingPairs: 8 },
      runTrial: runner({ 0.1: -1 }, asked),
    });
    await runTrials(input);
    expect(asked).toHaveLength(2);
  });

  test('with an objective to be lowered, lower wins', async () => {
    const objective = { metric: 'collisions', group: 'agent', better: 'lower', words: '' } as const;
    const { input, verdict } = setUp([a, b], {
      context: roundContext({ objective }),
      runTrial: runner({ 0.1: 2, 0.2: -1 }),
    });
    await runTrials(input);
    expect([verdict('a'), verdict('b')]).toEqual(['notBetter', 'better']);
  });

  test('goes on where it was interrupted, and ends the same', async () => {
    const whole = setUp([a, b], { runTrial: runner({ 0.1: 2, 0.2: 1 }) });
    await runTrials(whole.input);
    for (let stop = 1; stop <= 5; stop++) {
      const asked: TrialRequest[] = [];
      const run = runner({ 0.1: 2, 0.2: 1 }, asked);
      const cut = setUp([a, b], {
        runTrial: (request, signal) => {
          if (asked.length === stop - 1 && stop > 0) throw new AppError('trainer.died', 'killed');
          return run(request, signal);
        },
      });
      await expect(runTrials(cut.input)).rejects.toThrow('killed');
      await runTrials({ ...cut.input, runTrial: run });
      expect(asked).toHaveLength(5);
      expect(cut.store.trials.find('a')).toEqual(whole.store.trials.find('a'));
      expect(cut.store.trials.find('b')).toEqual(whole.store.trials.find('b'));
    }
  });

  /** Training breaks down in b after 400 steps, in its second pair. */
  const breaking = (asked: TrialRequest[]): TrialRunner => {
    const run = runner({ 0.1: 2, 0.2: 1 }, asked);
    return async (request, signal) => {
      const { branches } = await run(request, signal);
      if (asked.length < 2) return { branches };
      const breaks = ({ parameters }: EnvironmentSpec) => parameters['agent.size'] === 0.2;
      return {
        branches: branches.map((b, i) =>
          breaks(request.environments[i] as EnvironmentSpec) ? brokenBranch(400) : b,
        ),
      };
    };
  };

  test('a candidate in which training breaks down is not tried further; what was trained is charged, no more', async () => {
    const asked: TrialRequest[] = [];
    const { input, store, verdict } = setUp([a, b], { runTrial: breaking(asked) });
    await runTrials(input);
    // The pair in which b broke is not run again for a.
    expect(asked.map(({ environments }) => environments.length)).toEqual([3, 3, 2, 2, 2]);
    expect(verdict('a')).toBe('better');
    expect(store.trials.find('b')).toMatchObject({
      summary: null,
      failure: { message: 'training in it broke down: loss is NaN', chargedSteps: 400 + 500 },
    });
    expect(store.trials.find('b')?.pairs).toHaveLength(1);
    expect(store.trials.chargedSteps('r1')).toBe(3000 + 2400 + 3 * 2000);
  });

  test('a failure on record is not run again', async () => {
    const asked: TrialRequest[] = [];
    const { input, store } = setUp([a, b], { runTrial: breaking(asked) });
    await runTrials(input);
    const before = [store.trials.find('a'), store.trials.find('b')];
    await runTrials(input);
    expect(asked).toHaveLength(5);
    expect([store.trials.find('a'), store.trials.find('b')]).toEqual(before);
  });

  test('where the unchanged environment breaks down there is nothing to compare with', async () => {
    const { input, store } = setUp([a, b], {
      runTrial: async (request) => {
        const { branches } = scored(request, () => 1);
        return { branches: [brokenBranch(300), ...branches.slice(1)] };
      },
    });
    await runTrials(input);
    expect(store.trials.find('a')?.failure?.message).toContain('in the unchanged environment broke down');
    expect(store.trials.find('b')?.failure).toMatchObject({ chargedSteps: 1150 });
    expect(store.trials.chargedSteps('r1')).toBe(2300);
  });

  test("any other failure of the trainer is the run's", async () => {
    const { input } = setUp([a], { runTrial: () => Promise.reject(new AppError('trainer.died', 'gone')) });
    await expect(runTrials(input)).rejects.toThrow('gone');
  });
});
