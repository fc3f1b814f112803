import { describe, expect, test } from 'vitest';
import { bringIntoForce } from '../../../../src/engine/coach/in-force.ts';
import { createCoachPipeline } from '../../../../src/engine/coach/pipeline.ts';
import type { CoachDependencies, RoundContext, TrialRequest } from '../../../../src/engine/coach/types.ts';
import { coachConfig, coachDependencies, compiled, roundContext } from '../../../support/coach-world.ts';
import { scored } from '../../../support/trial-results.ts';

const reason = { trigger: 'interval', detail: 'every round' } as const;
const signal = new AbortController().signal;

/** Pays for two pairs of one candidate, and not for screening and re-testing two. */
const tight: Partial<RoundContext> = {
  budgetSteps: 90_000,
  chargedSteps: 30_000,
  stepsPerIteration: 1600,
  numRounds: 3,
  config: { ...coachConfig, whatif: { share: 0.3, seeds: 1, retest: 2, episodes: 64 } },
};

async function boundary(deps: CoachDependencies, changes: Partial<RoundContext>): Promise<TrialRequest[]> {
  const asked: TrialRequest[] = [];
  const coach = createCoachPipeline(deps);
  const context = roundContext(changes);
  await coach.ask(context, reason, signal);
  const trial = async (request: TrialRequest) => {
    asked.push(request);
    return scored(request, (i) => -20 - i);
  };
  await coach.tryOut(context, context.round, trial, signal);
  coach.decide(context);
  return asked;
}

const removals = (deps: CoachDependencies, round: number) =>
  deps.store.proposals
    .list({ runId: 'r1', round })
    .filter(({ body }) => body?.changes[0]?.op === 'remove' && body.changes[0].target === 'reward crowding');

describe('trying out what the budget pays for', () => {
  test("the coach's first candidate is tried where two cannot be paid for, and the other is told why it is not", async () => {
    const deps = coachDependencies();
    const asked = await boundary(deps, tight);
    expect(asked[0]?.environments).toHaveLength(2);
    expect(deps.store.trials.find('r1-p1-1')?.pairs.length).toBeGreaterThanOrEqual(2);
    expect(deps.store.trials.find('r1-p1-2')).toBeNull();
    expect(deps.store.decisions.find('r1-p1-2')).toMatchObject({
      verdict: 'rejected',
      note: expect.stringContaining('does not reach for it'),
    });
  });

  test('what nothing was left to try may be proposed again, at the next boundary and not at the same', async () => {
    const deps = coachDependencies();
    const poor = { ...tight, trialSteps: 26_000 };
    expect(await boundary(deps, poor)).toEqual([]);
    expect(deps.store.decisions.find('r1-p1-1')?.note).toContain('2 pairs of one iteration take 6400');
    expect(await boundary(deps, poor)).toEqual([]);
    expect(removals(deps, 0)).toHaveLength(1);
    await boundary(deps, { ...tight, round: 1 });
    expect(removals(deps, 1)).toHaveLength(1);
  });

  test.each(['semi-automatic', 'manual'] as const)(
    'what there is no budget to try waits for a person in mode %s',
    async (mode) => {
      const deps = coachDependencies();
      const config = { ...coachConfig, ...tight.config, mode };
      expect(await boundary(deps, { ...tight, config, trialSteps: 26_000 })).toEqual([]);
      const { proposalId } = removals(deps, 0)[0] ?? {};
      const { state, untried } = deps.store.proposals.get(proposalId ?? '');
      expect(state).toBe('awaiting');
      expect(untried).toContain('2 pairs of one iteration take 6400');
      expect(deps.store.decisions.find(proposalId ?? '')).toBeNull();
    },
  );

  test('what is turned down or left to a person is told of once it is on record', async () => {
    const plain = coachDependencies();
    let depth = 0;
    const told: string[] = [];
    const deps: CoachDependencies = {
      ...plain,
      store: {
        ...plain.store,
        transaction: (work) => {
          depth++;
          try {
            return plain.store.transaction(work);
          } finally {
            depth--;
          }
        },
      },
      onChange: (proposalId) => {
        expect(depth).toBe(0);
        told.push(`${proposalId} ${plain.store.proposals.get(proposalId).state}`);
      },
    };
    await boundary(deps, { ...tight, trialSteps: 26_000 });
    expect(told).toContain('r1-p1-1 rejected');

    const text = `environment e extends simple_spread {
  stage near { set landmark.spawn = 0.5 m until success > 40% for 2 evaluations }
  stage full { }
}
`;
    const setting = { opponents: {}, stage: 'near', place: 0, capacities: {} };
    const environment = bringIntoForce(compiled(text), setting);
    const staged = { ...tight.config, provider: 'random', may: ['stage'], mode: 'manual' } as const;
    const config = { ...coachConfig, ...staged, candidates: 8 };
    const context = roundContext({ text, environment, setting, config, runId: 'r1', round: 1 });
    const coach = createCoachPipeline(deps);
    await coach.ask(context, reason, signal);
    told.length = 0;
    await coach.tryOut(context, 1, async (request) => scored(request, (i) => -20 - i), signal);
    expect(told.filter((each) => each.endsWith(' awaiting'))).toHaveLength(3);
  });

  test('what lost its trial is not proposed again', async () => {
    const deps = coachDependencies();
    await boundary(deps, tight);
    await boundary(deps, { ...tight, round: 1 });
    expect(removals(deps, 0)).toHaveLength(1);
    expect(removals(deps, 1)).toEqual([]);
  });
});
