import { describe, expect, test } from 'vitest';
import { createCoachPipeline } from '../../../../src/engine/coach/pipeline.ts';
import { coolingIdentities } from '../../../../src/engine/coach/stages/cooling.ts';
import { decideByPerson } from '../../../../src/engine/coach/stages/decide-by-person.ts';
import type { CoachDependencies, RoundContext, TrialRunner } from '../../../../src/engine/coach/types.ts';
import type { Store } from '../../../../src/engine/store/index.ts';
import {
  coachConfig,
  coachDependencies,
  compiled,
  roundContext,
  spreadText,
} from '../../../support/coach-world.ts';
import { openTestStore, runRecord, storeWithRun, studyRecord } from '../../../support/store-records.ts';
import { brokenBranch, scored } from '../../../support/trial-results.ts';

const reason = { trigger: 'interval', detail: 'every round' } as const;
const signal = new AbortController().signal;
const resting = { ...coachConfig, coolDown: 2, candidates: 1 };

/** The environment of a later round: something else has changed. */
function later(round: number, changes: Partial<RoundContext> = {}): RoundContext {
  const text = spreadText.replace('agent.accel = 4', `agent.accel = ${4 - round / 2}`);
  return roundContext({
    config: resting,
    round,
    numRounds: 9,
    text,
    environment: compiled(text),
    ...changes,
  });
}

const trial =
  (gain: number): TrialRunner =>
  async (request) =>
    scored(request, (i) => -20 + (i === 0 ? 0 : gain));

/** A trial in which training breaks down in the branch of this index; 0: the unchanged environment. */
const brokenAt =
  (index: number): TrialRunner =>
  async (request) => ({
    branches: scored(request, () => -20).branches.map((each, i) => (i === index ? brokenBranch(100) : each)),
  });

async function boundary(
  deps: CoachDependencies,
  outcome: number | TrialRunner,
  context: RoundContext,
): Promise<void> {
  const coach = createCoachPipeline(deps);
  const runTrial = typeof outcome === 'number' ? trial(outcome) : outcome;
  await coach.ask(context, reason, signal);
  await coach.tryOut(context, context.round, runTrial, signal);
  coach.decide(context);
}

function endRound(store: Store, round: number, finishedAt: number): void {
  const environmentHash = store.texts.put(spreadText);
  const environmentIdentity = compiled().identity;
  store.rounds.begin({ runId: 'r1', round, environmentHash, environmentIdentity, startedAt: finishedAt - 1 });
  store.rounds.finish('r1', round, {
    ...{ ownSteps: 1, chargedSteps: 1, objective: 0, parameterHash: '' },
    ...{ checkpointFile: '', recordFile: '', report: {}, finishedAt },
  });
}

const withoutCrowding = (context: RoundContext): string => {
  const text = context.text.replace(/ {2}reward crowding[\s\S]*?\n {2}\}\n/, '');
  expect(text).not.toContain('crowding');
  return compiled(text).identity;
};

const proposed = (deps: CoachDependencies, round: number) =>
  deps.store.proposals
    .list({ runId: 'r1', round })
    .map(({ body }) => `${body?.changes[0]?.op} ${body?.changes[0]?.target}`);

describe('coolingIdentities', () => {
  test('an edit that lost its trial rests for the rounds that are set, in whatever environment', async () => {
    const deps = coachDependencies();
    await boundary(deps, -1, roundContext({ config: resting }));
    expect(proposed(deps, 0)).toEqual(['remove reward crowding']);
    for (const round of [1, 2]) {
      const cooling = coolingIdentities(deps, later(round));
      expect(cooling.get(withoutCrowding(later(round)))).toBe(
        'the same edit lost its trial after round 1; it may be proposed again after round 4',
      );
    }
    expect(coolingIdentities(deps, later(3)).size).toBe(0);
    expect(coolingIdentities(deps, later(1, { config: { ...resting, coolDown: 0 } })).size).toBe(0);
  });

  test('what a person rejected rests; what another candidate beat, or nobody could pay for, does not', async () => {
    const rejected = coachDependencies();
    await boundary(rejected, 2, roundContext({ config: { ...resting, mode: 'manual' } }));
    const experience = () => {
      throw new Error('a rejection needs none');
    };
    decideByPerson(
      { ...rejected, experience, hasBoundary: () => true },
      { proposalId: 'r1-p1-1', verdict: 'rejected', note: '' },
    );
    expect([...coolingIdentities(rejected, later(1)).values()].join()).toContain('rejected by a person');

    const beaten = coachDependencies();
    const both = { ...resting, candidates: 2 };
    await boundary(beaten, 2, roundContext({ config: both }));
    expect(coolingIdentities(beaten, later(1, { config: both })).size).toBe(0);

    const unpaid = coachDependencies();
    await boundary(unpaid, 2, roundContext({ config: resting, trialSteps: 99_000 }));
    expect(unpaid.store.decisions.find('r1-p1-1')?.verdict).toBe('rejected');
    expect(coolingIdentities(unpaid, later(1)).size).toBe(0);
  });

  test('what a person rejected later rests from then on', async () => {
    const store = openTestStore();
    store.studies.insert(studyRecord(store));
    store.runs.insert(runRecord({ numRounds: 9 }));
    const deps = coachDependencies({ store });
    await boundary(deps, 2, roundContext({ config: { ...resting, mode: 'manual' } }));
    for (const round of [0, 1, 2]) endRound(store, round, deps.now());
    const experience = () => {
      throw new Error('a rejection needs none');
    };
    decideByPerson(
      { ...deps, experience, hasBoundary: () => true },
      { proposalId: 'r1-p1-1', verdict: 'rejected', note: '' },
    );
    endRound(store, 3, deps.now());
    for (const round of [3, 4]) {
      expect([...coolingIdentities(deps, later(round)).values()]).toEqual([
        'the same edit was rejected by a person after round 3; it may be proposed again after round 6',
      ]);
    }
    expect(coolingIdentities(deps, later(5)).size).toBe(0);
  });

  test('an edit in which training broke down rests; where it did in the unchanged environment, nothing is known of the edit', async () => {
    const outcomes = [0, 1].map(async (index) => {
      const deps = coachDependencies();
      await boundary(deps, brokenAt(index), roundContext({ config: resting }));
      expect(deps.store.trials.find('r1-p1-1')?.failure).not.toBeNull();
      return [...coolingIdentities(deps, later(1)).values()].map((why) => why.split(' after ')[0]);
    });
    expect(await Promise.all(outcomes)).toEqual([[], ['the same edit lost its trial']]);
  });

  test('what was rolled back rests from then on', async () => {
    const store: Store = storeWithRun();
    const deps = coachDependencies({ store });
    await boundary(deps, 2, roundContext({ config: resting }));
    expect(deps.store.decisions.find('r1-p1-1')?.verdict).toBe('accepted');
    expect(coolingIdentities(deps, later(1)).size).toBe(0);
    store.rollbacks.record({
      runId: 'r1',
      round: 2,
      fromHash: store.texts.put('new'),
      toHash: store.texts.put('old'),
      measured: -12,
      incumbent: -10,
      margin: 1,
      proposalIds: ['r1-p1-1'],
      note: '',
      decidedAt: 7,
    });
    // A boundary before it, gone through again, does not know of it.
    expect(coolingIdentities(deps, later(1)).size).toBe(0);
    for (const round of [2, 3]) {
      expect([...coolingIdentities(deps, later(round)).values()].join()).toContain(
        'rolled back after round 3',
      );
    }
  });
});

describe('asking while an edit rests', () => {
  test('it is not enumerated, and the next one in line has its turn', async () => {
    const deps = coachDependencies();
    await boundary(deps, -1, roundContext({ config: resting }));
    await createCoachPipeline(deps).ask(later(1), reason, signal);
    expect(proposed(deps, 1)).not.toContain('remove reward crowding');
    expect(proposed(deps, 1)).toHaveLength(1);
    const free = coachDependencies();
    const config = { ...resting, coolDown: 0 };
    await boundary(free, -1, roundContext({ config }));
    await createCoachPipeline(free).ask(later(1, { config }), reason, signal);
    expect(proposed(free, 1)).toEqual(['remove reward crowding']);
  });
});
