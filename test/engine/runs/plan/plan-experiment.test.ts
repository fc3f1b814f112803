import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planExperiment } from '../../../../src/engine/runs/plan/plan-experiment.ts';
import type { Store } from '../../../../src/engine/store/index.ts';
import type { PlanView } from '../../../../src/shared/contract/plan.ts';
import { experimentWith } from '../../../support/experiment-host.ts';
import { openTestStore, runRecord, studyRecord } from '../../../support/store-records.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const files = { 'far.edl': 'environment far extends simple_spread {\n  set agent.accel = 3 m/s^2\n}\n' };

function experiment(change: object = {}) {
  const whole = {
    environment: 'simple_spread',
    objective: { metric: 'episode_return', group: 'agent' },
    budget: { steps: 1_000_000, rounds: 4 },
    seeds: [1, 2, 3],
    evaluate: { every: 100_000, episodes: 50 },
    heldOut: ['far.edl'],
    coach: { provider: 'rules', whatif: { share: 0.2, episodes: 512 } },
    arms: [{ name: 'fixed', coach: 'none' }, { name: 'coached' }],
    ...change,
  };
  const { experiment: checked, problems } = experimentWith(whole, files);
  if (checked === null) throw new Error(problems.join('\n'));
  return checked;
}

interface Given {
  readonly learner: object;
  readonly seconds: number;
  readonly bytes: number;
  readonly scenario?: string;
}

/** A finished run of 500,000 charged steps in two rounds. */
function addRun(store: Store, root: string, id: number, { learner, seconds, bytes, scenario }: Given): void {
  const studyId = `s${id}`;
  const runId = `r${id}`;
  const configuration = { scenarios: { [scenario ?? 'simple_spread']: 1 } };
  store.studies.insert(studyRecord(store, { studyId, configuration, createdAt: id }));
  const progress = { state: 'finished', chargedSteps: 500_000, numRounds: 2 } as const;
  store.runs.insert(runRecord({ runId, studyId, ...progress, configuration: { learner } }));
  for (const round of [0, 1]) {
    const hash = store.texts.put('');
    store.rounds.begin({
      runId,
      round,
      environmentHash: hash,
      environmentIdentity: '',
      startedAt: round * 500 * seconds,
    });
    const ended = {
      ownSteps: 0,
      chargedSteps: 0,
      objective: 0,
      parameterHash: '',
      checkpointFile: '',
      recordFile: '',
    };
    store.rounds.finish(runId, round, { ...ended, report: null, finishedAt: (round + 1) * 500 * seconds });
  }
  const folder = join(root, '.gymwright', 'runs', runId);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'checkpoint.gwc'), new Uint8Array(bytes));
}

const measuredOf = ({ arms }: PlanView) => arms.map(({ measured }) => measured);

describe('planExperiment', () => {
  test('says of an arm that no boundary pays for its smallest trial', () => {
    const root = temporaryFolder();
    const store = openTestStore(root);
    const planned = (share: number, rounds = 4) => {
      const whatif = { share, episodes: 512 };
      const change = { budget: { steps: 100_000, rounds }, coach: { provider: 'rules', whatif } };
      return planExperiment({ store, root, trainers: 8 }, experiment(change)).arms;
    };
    // An iteration has 6,400 steps, and two pairs of one iteration 25,600.
    expect(planned(0.25)).toMatchObject([
      { arm: 'fixed', shortage: null },
      { mostTrialSteps: 0, shortage: expect.stringMatching(/may take 25000 steps .* take 25600$/) },
    ]);
    expect(planned(0.26, 3)[1]).toMatchObject({ mostTrialSteps: 3 * 26_000, shortage: null });
    // What is left by the last boundary limits it, too: a twelfth of the budget.
    expect(planned(0.49, 12)[1]?.shortage).toContain('may take 8333 steps');
    expect(planned(0.26, 1)[1]?.shortage).toContain('one round has no boundary');
  });

  test('adds up steps, the most that trials may take of them, and evaluations', () => {
    const root = temporaryFolder();
    const store = openTestStore(root);
    const plan = planExperiment({ store, root, trainers: 8 }, experiment());
    expect(plan.arms).toEqual([
      {
        arm: 'fixed',
        provider: 'none',
        numRuns: 3,
        chargedSteps: 3_000_000,
        mostTrialSteps: 0,
        // Ten points of the grid and four ends of rounds; each end also in the held-out environment.
        evaluations: 42,
        evaluationEpisodes: 3 * (14 + 4) * 50,
        shortage: null,
        episodesPerTrialScore: 0,
        measured: null,
      },
      expect.objectContaining({
        arm: 'coached',
        provider: 'rules',
        mostTrialSteps: 600_000,
        shortage: null,
        episodesPerTrialScore: 512,
      }),
    ]);
    expect(plan).toMatchObject({ seeds: [1, 2, 3], trainers: 6, hours: null, bytes: null });
  });

  test('an arm that tries nothing out has no trials; only what is chosen is planned', () => {
    const root = temporaryFolder();
    const tools = { store: openTestStore(root), root, trainers: 2 };
    const untried = experiment({ coach: { provider: 'random', whatif: { share: 0 } } });
    expect(planExperiment(tools, untried).arms[1]).toMatchObject({
      mostTrialSteps: 0,
      episodesPerTrialScore: 0,
    });
    const chosen = planExperiment(tools, untried, { arm: 'coached', seed: 9 });
    expect(chosen).toMatchObject({ seeds: [9], arms: [{ arm: 'coached', numRuns: 1 }], trainers: 1 });
    expect(() => planExperiment(tools, untried, { arm: 'none', seed: null })).toThrow(/has no arm "none"/);
  });

  test('takes time and disk from runs alike here: with the same settings, else of the algorithm', () => {
    const root = temporaryFolder();
    const store = openTestStore(root);
    const planned = experiment();
    const learner = planned.arms[0]?.learner ?? {};
    addRun(store, root, 1, { learner: { ...learner, hidden: 7 }, seconds: 400, bytes: 8000 });
    addRun(store, root, 2, { learner: { algorithm: 'qmix' }, seconds: 4000, bytes: 8000 });
    addRun(store, root, 3, { learner, seconds: 4000, bytes: 8000, scenario: 'simple_tag' });
    const tools = { store, root, trainers: 2 };
    expect(measuredOf(planExperiment(tools, planned))).toEqual([
      { numRuns: 1, isSameLearner: false, secondsPerMillionSteps: 800, bytesPerRound: 4000 },
      { numRuns: 1, isSameLearner: false, secondsPerMillionSteps: 800, bytesPerRound: 4000 },
    ]);
    for (const [id, seconds] of [100, 120, 900].entries())
      addRun(store, root, 10 + id, { learner, seconds, bytes: 2000 });
    const plan = planExperiment(tools, planned);
    expect(measuredOf(plan)[0]).toEqual({
      numRuns: 3,
      isSameLearner: true,
      secondsPerMillionSteps: 240,
      bytesPerRound: 1000,
    });
    // Six runs of a million steps, two at a time; four rounds each.
    expect(plan.hours).toBeCloseTo((240 * 6) / 2 / 3600, 12);
    expect(plan.bytes).toBe(24_000);
  });

  test('adds up arms of different learners, each as it was measured; unknown if one of them is', () => {
    const root = temporaryFolder();
    const store = openTestStore(root);
    const tools = { store, root, trainers: 2 };
    const planned = experiment({
      coach: 'none',
      arms: [
        { name: 'fast', learner: { algorithm: 'ippo' } },
        { name: 'slow', learner: { algorithm: 'qmix' } },
      ],
    });
    const [fast, slow] = planned.arms.map(({ learner }) => learner);
    addRun(store, root, 1, { learner: fast ?? {}, seconds: 10, bytes: 2000 });
    const unknown = planExperiment(tools, planned);
    expect(unknown).toMatchObject({ hours: null, bytes: null });
    expect(measuredOf(unknown)).toEqual([expect.objectContaining({ secondsPerMillionSteps: 20 }), null]);
    expect(planExperiment(tools, planned, { arm: 'fast', seed: null }).bytes).toBe(12_000);

    addRun(store, root, 2, { learner: slow ?? {}, seconds: 500, bytes: 20_000 });
    const plan = planExperiment(tools, planned);
    expect(measuredOf(plan).map((measured) => measured?.secondsPerMillionSteps)).toEqual([20, 1000]);
    // Three runs of a million steps each, two at a time.
    expect(plan.hours).toBeCloseTo((3 * 20 + 3 * 1000) / 2 / 3600, 12);
    expect(plan.bytes).toBe(3 * 4 * 1000 + 3 * 4 * 10_000);
    // One of each, at once: it takes as long as the slow one.
    expect(planExperiment(tools, planned, { arm: null, seed: 1 }).hours).toBeCloseTo(1000 / 3600, 12);
  });
});
