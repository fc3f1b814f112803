import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCoachPipeline } from '../../../src/engine/coach/pipeline.ts';
import { playRandomly } from '../../../src/engine/coach/propose-once/random-play.ts';
import { seedFor } from '../../../src/engine/coach/seeded-random.ts';
import { shapingDefaults } from '../../../src/engine/coach/shaping/discipline.ts';
import type { TrialRequest, TrialRunner } from '../../../src/engine/coach/types.ts';
import { type BoundaryTools, crossBoundary } from '../../../src/engine/runs/boundary.ts';
import { readLoopState, withPlan } from '../../../src/engine/runs/loop-state.ts';
import { type RunIdentity, runDirectory } from '../../../src/engine/runs/round-context.ts';
import type { RunServices } from '../../../src/engine/runs/services.ts';
import { createVecEnv } from '../../../src/engine/sim/index.ts';
import type { Store } from '../../../src/engine/store/index.ts';
import { prepareDirectory } from '../../../src/engine/train/files.ts';
import { writeRecord } from '../../../src/engine/train/record-file.ts';
import { coachConfig, coachDependencies, coachEdl, compiled, spreadText } from '../../support/coach-world.ts';
import { interruptedStore, Killed } from '../../support/interrupted-store.ts';
import { insertProposal, proposalBody, storeWithRun } from '../../support/store-records.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { brokenBranch, scored } from '../../support/trial-results.ts';

const runId = 'r1';
const firstSeed = seedFor('trial', 1, 0, 0);
const play = playRandomly(createVecEnv, compiled(), 'agent', 7);

const run = {
  studyId: 's1',
  runId,
  seed: 1,
  arm: {
    name: 'coached',
    coach: { ...coachConfig, provider: 'random', candidates: 4 },
    learner: { numEnvs: 10, numSteps: 100 },
  },
  experiment: {
    budget: { steps: 400_000, rounds: 4 },
    objective: { metric: 'episode_return', group: 'agent', better: 'higher', words: '' },
    opponents: {},
  },
} as unknown as RunIdentity;

/** A run whose first round has ended, with a coach that is asked at its boundary. */
function finishedRound(): { store: Store; root: string } {
  const root = temporaryFolder();
  const store = storeWithRun(root);
  const textHash = store.texts.put(spreadText);
  const { identity } = compiled();
  store.rounds.begin({
    runId,
    round: 0,
    environmentHash: textHash,
    environmentIdentity: identity,
    startedAt: 1,
  });
  const directory = join(root, runDirectory(runId));
  prepareDirectory(directory);
  const header = {
    scenario: 'simple_spread',
    environmentIdentity: identity,
    round: 0,
    numAgents: 3,
    numCopies: null,
    begins: [],
  };
  const record = writeRecord(directory, header, play.recording.steps.slice(0, 256));
  const report = {
    ...play.report,
    chargedSteps: 100_000,
    ownSteps: 100_000,
    objective: -30,
    objectiveError: 1,
    record,
  };
  store.rounds.finish(runId, 0, {
    ownSteps: 100_000,
    chargedSteps: 100_000,
    objective: -30,
    parameterHash: '',
    checkpointFile: '',
    recordFile: record,
    report,
    finishedAt: 2,
  });
  const plan = {
    textHash,
    identity,
    trialSteps: 0,
    incumbent: null,
    question: null,
    rolledBackRound: null,
    stage: null,
    move: null,
    shaping: null,
  };
  store.runs.update(runId, { loop: withPlan(readLoopState(null), 0, plan) });
  const points = ['eval/objective', 'eval/metric/coverage'].flatMap((key) =>
    [1, 2, 3].map((i) => ({ key, step: i * 1000, value: key === 'eval/objective' ? -30 : 0.1 })),
  );
  store.series.append(runId, 0, points);
  return { store, root };
}

/** All candidates beat the control, the first most; training breaks down in the second, in its second pair. */
function trials(asked: TrialRequest[]): TrialRunner {
  return async (request) => {
    asked.push(request);
    const noise = (request.seed % 100) / 1000;
    const { branches } = scored(request, (i) => -20 + noise + (i === 0 ? 0 : 2 / i));
    return {
      branches: branches.map((branch, i) =>
        i === 2 && request.seed !== firstSeed ? brokenBranch(500) : branch,
      ),
    };
  };
}

async function cross(
  store: Store,
  root: string,
  runTrial: TrialRunner,
  now: () => number,
  identity: RunIdentity = run,
  round = 0,
  takenUp: number[] = [],
): Promise<void> {
  const deps = coachDependencies({ store, now });
  const services = {
    store,
    root,
    edl: { ...coachEdl, scenarios: () => [] },
    coach: createCoachPipeline(deps),
    now,
    emit: () => {},
  } as unknown as RunServices;
  const tools: BoundaryTools = {
    services,
    run: identity,
    runTrial,
    takeUp: async (ended) => void takenUp.push(ended),
    signal: new AbortController().signal,
    awaitAnswer: async () => {},
    log: () => {},
  };
  await crossBoundary(tools, round);
}

function figures(store: Store) {
  return {
    loop: store.runs.get(runId).loop,
    plan: store.trials.findPlan(runId, 0),
    charged: store.trials.chargedSteps(runId),
    proposals: store.proposals
      .list({ runId })
      .map(({ proposalId, state, afterHash }) => ({
        proposalId,
        state,
        afterHash,
        trial: store.trials.find(proposalId),
        decision: store.decisions.find(proposalId),
      }))
      .sort((a, b) => a.proposalId.localeCompare(b.proposalId)),
  };
}

describe('crossBoundary', { timeout: 240_000 }, () => {
  test('ends with the same plan, charged steps and decisions after a kill at any write', async () => {
    const now = () => 1000;
    const whole = finishedRound();
    const asked: TrialRequest[] = [];
    const counted = interruptedStore(whole.store, Number.POSITIVE_INFINITY);
    await cross(counted.store, whole.root, trials(asked), now);
    const expected = figures(whole.store);
    const states = expected.proposals.map(({ state }) => state);
    expect(states.filter((state) => state === 'accepted')).toHaveLength(1);
    expect(states.filter((state) => state === 'rejected').length).toBeGreaterThan(1);
    expect(expected.proposals.filter(({ trial }) => trial?.failure != null)).toHaveLength(1);
    expect(readLoopState(expected.loop).plans[1]?.trialSteps).toBe(expected.charged);
    expect(counted.count()).toBeGreaterThan(20);

    for (let kill = 1; kill <= counted.count(); kill++) {
      const { store, root } = finishedRound();
      const requests: TrialRequest[] = [];
      const runTrial = trials(requests);
      const killed = interruptedStore(store, kill);
      await expect(cross(killed.store, root, runTrial, now)).rejects.toBeInstanceOf(Killed);
      const before = requests.length;
      await cross(store, root, runTrial, now);
      expect(figures(store), `after write ${kill}`).toEqual(expected);
      // A pair that was trained and not recorded is trained again; none that was recorded is.
      expect(requests.length - asked.length, `trials after write ${kill}`).toBeLessThanOrEqual(1);
      expect(before).toBeLessThanOrEqual(asked.length);
    }
  });

  /** A round like the first, with another end. */
  function endRound(
    store: Store,
    { round, textHash, objective }: { round: number; textHash: string; objective: number },
  ): void {
    const report = store.rounds.find(runId, 0)?.outcome?.report as { record: string };
    store.rounds.begin({
      runId,
      round,
      environmentHash: textHash,
      environmentIdentity: compiled(store.texts.get(textHash)).identity,
      startedAt: 3,
    });
    const steps = 100_000 * (round + 1);
    const ended = { ownSteps: steps, chargedSteps: steps, objective };
    store.rounds.finish(runId, round, {
      ...ended,
      parameterHash: '',
      checkpointFile: '',
      recordFile: report.record,
      report: { ...report, ...ended, round, objectiveError: 1 },
      finishedAt: 4,
    });
  }

  /** A run whose second round, in an environment that a proposal led to, has fallen far below the first. */
  function fallenRound(): { store: Store; root: string } {
    const { store, root } = finishedRound();
    const loop = readLoopState(store.runs.get(runId).loop);
    const [first] = loop.plans;
    if (first === undefined) throw new Error('no plan');
    const text = spreadText.replace('give -1', 'give -9');
    const textHash = store.texts.put(text);
    insertProposal(store, { runId, beforeHash: first.textHash });
    store.proposals.answer('p1', {
      answerHash: null,
      isComposed: true,
      body: proposalBody,
      afterHash: textHash,
      details: { identity: compiled(text).identity },
      state: 'validated',
    });
    const decision = { proposalId: 'p1', author: 'automatic', note: '', decidedAt: 3 } as const;
    store.decisions.record({ ...decision, verdict: 'accepted', textHash });
    store.proposals.setState('p1', 'accepted');
    store.decisions.markApplied('p1', 0);
    const { identity } = compiled(text);
    endRound(store, { round: 1, textHash, objective: -40 });
    const incumbent = { textHash: first.textHash, round: 0, objective: -30, error: 1 };
    store.runs.update(runId, { loop: withPlan(loop, 1, { ...first, textHash, identity, incumbent }) });
    return { store, root };
  }

  test('a round that fell far goes back to the incumbent, by a decision on record, after a kill at any write', async () => {
    const trigger = { interval: 1, plateau: null, minDelta: 0, issue: false };
    const coach = { ...run.arm.coach, trigger, candidates: 1, coolDown: 2 };
    const identity = { ...run, arm: { ...run.arm, coach } };
    const now = () => 1000;
    const whole = fallenRound();
    const counted = interruptedStore(whole.store, Number.POSITIVE_INFINITY);
    const takenUp: number[] = [];
    await cross(counted.store, whole.root, trials([]), now, identity, 1, takenUp);
    expect(takenUp).toEqual([0]);
    const told = (store: Store) => ({
      rollbacks: store.rollbacks.listByRun(runId),
      loop: store.runs.get(runId).loop,
    });
    const expected = told(whole.store);
    expect(expected.rollbacks).toMatchObject([
      { round: 1, measured: -40, incumbent: -30, proposalIds: ['p1'], decidedAt: 1000 },
    ]);
    expect(expected.rollbacks[0]?.margin).toBeCloseTo(2 * Math.SQRT2);
    const plan = readLoopState(expected.loop).plans[2];
    expect(plan).toMatchObject({ rolledBackRound: 1, incumbent: { round: 0 } });
    expect(whole.store.texts.get(expected.rollbacks[0]?.toHash ?? '')).toBe(spreadText);
    const snapshot = whole.store.snapshots.findByRound(runId, 1);
    expect(whole.store.texts.get(snapshot?.textHash ?? '')).toContain('rolled back: round 2 fell to -40.000');

    expect(counted.count()).toBeGreaterThan(8);
    for (const kill of [1, 2, 3, 5, 8]) {
      const { store, root } = fallenRound();
      const killed = interruptedStore(store, kill);
      await expect(cross(killed.store, root, trials([]), now, identity, 1)).rejects.toBeInstanceOf(Killed);
      await cross(store, root, trials([]), now, identity, 1);
      expect(told(store), `after write ${kill}`).toEqual(expected);
    }
  });

  const never = { interval: null, plateau: null, minDelta: 0, issue: false };

  test('weights in force go on from where they stood when the policy that came back was kept', async () => {
    const { store, root } = fallenRound();
    const arm = {
      ...run.arm,
      coach: { ...run.arm.coach, shaping: shapingDefaults, trigger: never },
      environment: { path: null, text: spreadText, compiled: compiled() },
    };
    const component = { weight: 1, goal: 1, span: 0, isCoachMade: false, fades: null };
    const loop = readLoopState(store.runs.get(runId).loop);
    const [first, second] = loop.plans;
    if (first === undefined || second === undefined) throw new Error('no plans');
    const changedAt = 70_000;
    const before = { ...first, components: [{ ...component, name: 'crowding', weight: 0.75 }], changedAt };
    const fallen = {
      ...second,
      components: [{ ...component, name: 'crowding', weight: 0.1 }],
      changedAt: 100_000,
    };
    const planned = [before, fallen].map(({ components, changedAt, ...plan }) => ({
      ...plan,
      shaping: { textHash: plan.textHash, identity: plan.identity, components, changedAt },
    }));
    store.runs.update(runId, { loop: { ...loop, plans: planned } });
    await cross(store, root, trials([]), () => 1000, { ...run, arm } as unknown as RunIdentity, 1);
    const { rolledBackRound, shaping } = readLoopState(store.runs.get(runId).loop).plans[2] ?? {};
    expect(rolledBackRound).toBe(1);
    expect(shaping).toEqual(planned[0]?.shaping);
  });

  test('what an earlier rollback undid is not undone again', async () => {
    const { store, root } = fallenRound();
    const coach = { ...run.arm.coach, trigger: never };
    const identity = { ...run, arm: { ...run.arm, coach } };
    await cross(store, root, trials([]), () => 1000, identity, 1);
    const again = { ...proposalBody, analysis: 'again' };
    insertProposal(store, { runId, proposalId: 'p2', round: 1, beforeHash: store.texts.put(spreadText) });
    const loop = readLoopState(store.runs.get(runId).loop);
    const [, fallen, back] = loop.plans;
    if (fallen === undefined || back === undefined) throw new Error('no plans');
    const { textHash } = fallen;
    const answer = { answerHash: null, isComposed: true, body: again, afterHash: textHash, details: null };
    store.proposals.answer('p2', { ...answer, state: 'accepted' });
    const decision = { proposalId: 'p2', author: 'automatic', note: '', decidedAt: 3 } as const;
    store.decisions.record({ ...decision, verdict: 'accepted', textHash });
    store.decisions.markApplied('p2', 1);
    const changed = { ...back, textHash, identity: fallen.identity };
    store.runs.update(runId, { loop: withPlan(loop, 2, changed) });
    endRound(store, { round: 2, textHash, objective: -50 });
    await cross(store, root, trials([]), () => 1000, identity, 2);
    expect(store.rollbacks.listByRun(runId).map(({ proposalIds }) => proposalIds)).toEqual([['p1'], ['p2']]);
  });

  test('a round that fell ends no stage, and is no part of what the coach is told', async () => {
    const { store, root } = fallenRound();
    const staged = (text: string) =>
      text.replace(/\}\s*$/, '  stage near { until coverage > 50% }\n  stage far { }\n}\n');
    const loop = readLoopState(store.runs.get(runId).loop);
    const stage = { name: 'near', index: 0, count: 2, sinceStep: 0 };
    const plans = loop.plans.map((plan) => ({
      ...plan,
      textHash: store.texts.put(staged(store.texts.get(plan.textHash))),
      incumbent: plan.incumbent && { ...plan.incumbent, textHash: store.texts.put(staged(spreadText)) },
      stage,
    }));
    store.runs.update(runId, { loop: { ...loop, plans } });
    const points = ['eval/objective', 'eval/metric/coverage'].map((key, i) => ({
      key,
      step: 150_000,
      value: i === 0 ? -40 : 0.9,
    }));
    store.series.append(runId, store.series.nextSequence(runId), points);
    await cross(store, root, trials([]), () => 1000, run, 1);
    const plan = readLoopState(store.runs.get(runId).loop).plans[2];
    expect(plan).toMatchObject({ rolledBackRound: 1, move: null, stage: { name: 'near' } });
    const text = store.texts.get(store.snapshots.findByRound(runId, 1)?.textHash ?? '');
    const { objective, metrics } = JSON.parse(text);
    expect(objective).toMatchObject({ current: -30 });
    expect(JSON.stringify(metrics)).not.toContain('0.9');
  });

  test('a stage that the undone change took out, or put in another place, is where it was', async () => {
    const { store, root } = fallenRound();
    const staged = spreadText.replace(
      /\}\s*$/,
      '  stage near { until coverage > 50% }\n  stage mid { until coverage > 60% }\n  stage far { }\n}\n',
    );
    const loop = readLoopState(store.runs.get(runId).loop);
    const [first, second] = loop.plans;
    if (first === undefined || second === undefined) throw new Error('no plans');
    const textHash = store.texts.put(staged);
    const near = { name: 'near', index: 0, count: 3, sinceStep: 0 };
    const move = {
      ...{ from: 'near', to: 'mid', round: 0, step: 100_000, condition: 'coverage > 50%', metrics: {} },
    };
    const before = { ...first, textHash, stage: near };
    // The change took all stages out, at the boundary at which the second one began.
    const fallen = {
      ...second,
      incumbent: { textHash, round: 0, objective: -30, error: 1 },
      stage: null,
      move,
    };
    store.runs.update(runId, { loop: { ...loop, plans: [before, fallen] } });
    const coach = { ...run.arm.coach, trigger: never };
    await cross(store, root, trials([]), () => 1000, { ...run, arm: { ...run.arm, coach } }, 1);
    const plan = readLoopState(store.runs.get(runId).loop).plans[2];
    expect(plan).toMatchObject({ rolledBackRound: 1, move: null });
    expect(plan?.stage).toEqual({ name: 'mid', index: 1, count: 3, sinceStep: 100_000 });
  });

  test('a stage begins after the trials of its boundary: what was learned before it does not count for it', async () => {
    const { store, root } = finishedRound();
    const text = spreadText.replace(
      /\}\s*$/,
      '  stage near { set landmark.spawn = 0.3 m until coverage > 5% }\n  stage far { }\n}\n',
    );
    const loop = readLoopState(store.runs.get(runId).loop);
    const [first] = loop.plans;
    if (first === undefined) throw new Error('no plan');
    const stage = { name: 'near', index: 0, count: 2, sinceStep: 0 };
    store.runs.update(runId, {
      loop: { ...loop, plans: [{ ...first, textHash: store.texts.put(text), stage }] },
    });
    await cross(store, root, trials([]), () => 1000);
    const { trialSteps, move, stage: next } = readLoopState(store.runs.get(runId).loop).plans[1] ?? {};
    expect(move).toMatchObject({ from: 'near', to: 'far' });
    expect(trialSteps).toBeGreaterThan(0);
    expect(next).toMatchObject({ name: 'far', sinceStep: 100_000 + (trialSteps ?? 0) });
  });

  test.each([
    [0, false, false],
    [1, false, false],
    [1, true, true],
  ] as const)(
    'a request is kept until a question is put: lag %i, another open: %s',
    async (lag, isOpen, isKept) => {
      const { store, root } = finishedRound();
      const loop = readLoopState(store.runs.get(runId).loop);
      const [first] = loop.plans;
      if (first === undefined) throw new Error('no plan');
      // Asked a round before the first: with lag 2 it is still with the coach.
      const question = isOpen ? { askedRound: -1, isRequested: false } : null;
      store.runs.update(runId, { loop: { plans: [{ ...first, question }], isRequested: true } });
      const trigger = { interval: null, plateau: null, minDelta: 0, issue: false };
      const coach = { ...run.arm.coach, trigger, candidates: 1, lag: isOpen ? lag + 1 : lag };
      await cross(store, root, trials([]), () => 1000, { ...run, arm: { ...run.arm, coach } });
      const after = readLoopState(store.runs.get(runId).loop);
      expect(after.isRequested).toBe(isKept);
      expect(after.plans[1]?.question).toEqual(
        isOpen ? question : lag === 0 ? null : { askedRound: 0, isRequested: true },
      );
    },
  );
});
