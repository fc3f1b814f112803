import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LogLine } from '../../../src/shared/contract/engine.ts';
import type { RunView, StudyView } from '../../../src/shared/contract/runs.ts';
import { ToyCoach } from '../../support/toy/toy-coach.ts';
import { toyText } from '../../support/toy/toy-edl.ts';
import {
  openToyEngine,
  studyFigures,
  type ToyEngine,
  toyExperiment,
  writeToyWorkspace,
} from '../../support/toy/toy-workspace.ts';

function openEngine(...args: Parameters<typeof openToyEngine>): ToyEngine {
  const engine = openToyEngine(...args);
  onTestFinished(() => engine.remove());
  return engine;
}

async function runToEnd(engine: ToyEngine): Promise<StudyView> {
  const { studyId } = await engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
  return engine.supervisor.whenSettled(studyId);
}

let undisturbed: Promise<unknown> | null = null;

/** The figures of the default study when nothing happens to it; run once for all tests. */
function undisturbedFigures(): Promise<unknown> {
  undisturbed ??= (async () => {
    const engine = openToyEngine(writeToyWorkspace());
    const { studyId } = await runToEnd(engine);
    const figures = studyFigures(engine.store, studyId);
    await engine.remove();
    return figures;
  })();
  return undisturbed;
}

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 5) {
    if (waited > 60_000) throw new Error('waited for a minute');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Slows every trainer of a test down, so that there is something to interrupt. */
function slowDown(iterationMs: number): void {
  process.env.TOY_ITERATION_MS = String(iterationMs);
  onTestFinished(() => {
    delete process.env.TOY_ITERATION_MS;
  });
}

/** Processes start slowly on a busy machine. */
const patienceMs = 120_000;

describe('Supervisor', { timeout: patienceMs }, () => {
  test('runs every arm with every seed to the same charged budget and sums up the arms', async () => {
    const engine = openEngine(writeToyWorkspace());
    const study = await runToEnd(engine);
    expect(study.state).toBe('finished');
    expect(study.runs.map(({ arm, seed, state, step }) => ({ arm, seed, state, step }))).toEqual([
      { arm: 'fixed', seed: 1, state: 'finished', step: 400 },
      { arm: 'fixed', seed: 2, state: 'finished', step: 400 },
      { arm: 'coached', seed: 1, state: 'finished', step: 400 },
      { arm: 'coached', seed: 2, state: 'finished', step: 400 },
    ]);
    const [fixed, coached] = study.arms;
    expect(fixed?.vsBaseline).toBeNull();
    expect(coached?.vsBaseline).toMatchObject({ probabilityOfImprovement: 1 });
    expect(coached?.objective?.iqm).toBeGreaterThan(fixed?.objective?.iqm ?? 0);
  });

  test('the accepted environment trains from the next round on, and trial steps are charged', async () => {
    const engine = openEngine(writeToyWorkspace(toyExperiment({ seeds: [1], arms: [{ name: 'coached' }] })));
    const { runs } = await runToEnd(engine);
    const runId = runs[0]?.runId ?? '';
    const rounds = engine.store.rounds.listByRun(runId);
    expect(rounds.map(({ environmentHash }) => engine.store.texts.get(environmentHash))).toEqual([
      toyText(0.9),
      toyText(0),
      toyText(0),
      toyText(0),
    ]);
    expect(engine.coach.calls).toEqual(['ask 0', 'try 0 at 0', 'ask 1', 'try 1 at 1', 'ask 2', 'try 2 at 2']);
    // Three boundaries with two branches of 40 steps each.
    expect(runs[0]).toMatchObject({ step: 400, ownSteps: 400 - 3 * 80 });
    const policies = engine.store.policies.list(runId);
    expect(policies).toHaveLength(4);
    // Their own hashes, not the learner's over all groups.
    for (const { parameterHash } of policies) expect(parameterHash).toMatch(/^policy /);
  });

  test('works on pairs of a seed together', async () => {
    const engine = openEngine(writeToyWorkspace(), { maxTrainers: 1 });
    await runToEnd(engine);
    const started = engine.events.flatMap(({ event, payload }) =>
      event === 'run.changed' && (payload as RunView).state === 'finished' ? [payload as RunView] : [],
    );
    expect(started.map(({ arm, seed }) => `${arm} ${seed}`)).toEqual([
      'fixed 1',
      'coached 1',
      'fixed 2',
      'coached 2',
    ]);
  });

  test('with lag 1 the coach thinks while the next round trains, and its answer is due one boundary later', async () => {
    const coach = new ToyCoach();
    const experiment = toyExperiment({
      seeds: [1],
      arms: [{ name: 'coached' }],
      coach: { provider: 'rules', trigger: { interval: 1 }, lag: 1 },
    });
    const engine = openEngine(writeToyWorkspace(experiment), { coach });
    const { runs } = await runToEnd(engine);
    expect(coach.calls).toEqual(['ask 0', 'try 0 at 1', 'ask 1', 'try 1 at 2']);
    const texts = engine.store.rounds.listByRun(runs[0]?.runId ?? '').map((round) => round.environmentHash);
    expect(new Set(texts.slice(0, 2)).size).toBe(1);
    expect(engine.store.texts.get(texts[2] ?? '')).toBe(toyText(0));
  });

  test('goes back to the incumbent when the objective falls clearly', async () => {
    // A coach that takes anything makes the environment worse at the first boundary, and is asked no more.
    const coach = new ToyCoach({ propose: () => 1, accept: () => true, asks: ({ round }) => round === 0 });
    const experiment = toyExperiment({
      steps: 1600,
      seeds: [1],
      learner: { learningRate: 0.5 },
      arms: [{ name: 'coached' }, { name: 'fixed', coach: 'none' }],
      coach: { provider: 'rules', trigger: { interval: 1 } },
    });
    const root = writeToyWorkspace(experiment);
    writeFileSync(join(root, 'environments/toy.edl'), toyText(-1));
    const engine = openEngine(root, { coach });
    const { runs } = await runToEnd(engine);
    const [rounds = [], untouched = []] = runs.map(({ runId }) => engine.store.rounds.listByRun(runId));
    expect(rounds.map(({ environmentHash }) => engine.store.texts.get(environmentHash))).toEqual(
      [-1, 1, -1, -1].map((bias) => toyText(bias)),
    );
    const messages = engine.events.flatMap(({ event, payload }) =>
      event === 'log.appended' ? [(payload as LogLine).message] : [],
    );
    expect(messages).toContainEqual(expect.stringContaining('back to the environment of round 1'));
    // The policy goes back, too: it learns on as if the change had never been.
    expect(rounds[2]?.outcome?.parameterHash).toBe(untouched[1]?.outcome?.parameterHash);
    expect(rounds[1]?.outcome?.parameterHash).not.toBe(untouched[1]?.outcome?.parameterHash);
  });

  test('pause holds the runs, unpause lets them go on, with the numbers of an undisturbed study', async () => {
    const expected = await undisturbedFigures();
    slowDown(20);
    const engine = openEngine(writeToyWorkspace());
    const { studyId } = await engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
    await until(() => engine.events.some(({ event }) => event === 'metrics.appended'));
    expect((await engine.supervisor.pause(studyId)).state).toBe('paused');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const held = engine.supervisor.get(studyId).runs.map((run) => run.step);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(engine.supervisor.get(studyId).runs.map((run) => run.step)).toEqual(held);
    await engine.supervisor.unpause(studyId);
    await engine.supervisor.whenSettled(studyId);
    expect(studyFigures(engine.store, studyId)).toEqual(expected);
  });

  test('stop ends after a checkpoint; resume ends with the numbers of an undisturbed study', async () => {
    const expected = await undisturbedFigures();
    slowDown(10);
    const engine = openEngine(writeToyWorkspace());
    const { studyId } = await engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
    await until(() => engine.events.filter(({ event }) => event === 'metrics.appended').length > 8);
    const stopped = await engine.supervisor.stop(studyId);
    expect(stopped.state).toBe('stopped');
    expect(engine.supervisor.runningRuns).toBe(0);
    rmSync(join(engine.root, 'environments'), { recursive: true });
    await engine.supervisor.resume(studyId);
    expect((await engine.supervisor.whenSettled(studyId)).state).toBe('finished');
    expect(studyFigures(engine.store, studyId)).toEqual(expected);
  });

  test('a round is shown as over at its end, once; a study taken up shows the step of its checkpoint', async () => {
    slowDown(10);
    const root = writeToyWorkspace(toyExperiment({ seeds: [1], arms: [{ name: 'fixed', coach: 'none' }] }));
    const first = openToyEngine(root);
    const { studyId } = await first.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
    const lastView = () =>
      first.events.findLast(({ event }) => event === 'run.changed')?.payload as RunView | undefined;
    await until(() => lastView()?.round === 1);
    expect(lastView()?.step).toBe(
      first.store.rounds.listByRun(`${studyId}.fixed.1`)[0]?.outcome?.chargedSteps,
    );
    await first.supervisor.stop(studyId);
    const runId = `${studyId}.fixed.1`;
    const checkpoint = first.store.checkpoints.findLatest(runId);
    // As a killed engine leaves it: progress on record that no checkpoint holds.
    first.store.runs.update(runId, { chargedSteps: 9999, ownSteps: 9999 });
    await first.close();
    const engine = openEngine(root);
    const [resumed] = (await engine.supervisor.resume(studyId)).runs;
    const shown = engine.events.find(({ event }) => event === 'run.changed')?.payload as RunView;
    expect([resumed?.step, shown.step]).toEqual([checkpoint?.chargedSteps, checkpoint?.chargedSteps]);
    expect(shown.round).toBe(1);
    await engine.supervisor.whenSettled(studyId);
  });

  test('a trainer that dies is replaced once; a second death fails the run and the study goes on', async () => {
    const engine = openEngine(writeToyWorkspace(), {
      trainerPath: join(import.meta.dirname, 'no-such-trainer.ts'),
    });
    const study = await runToEnd(engine);
    expect(study.state).toBe('failed');
    expect(study.runs.map((run) => run.error?.code)).toEqual(Array(4).fill('trainer.died'));
    const warnings = engine.events.filter(
      ({ event, payload }) => event === 'log.appended' && (payload as LogLine).level === 'warning',
    );
    expect(warnings).toHaveLength(4);
  });

  test('a run folder that cannot be written fails the run with its code, and resume finishes it', async () => {
    const engine = openEngine(
      writeToyWorkspace(toyExperiment({ seeds: [1], arms: [{ name: 'fixed', coach: 'none' }] })),
    );
    // A file where the folder of runs has to be: no disk is needed to be full for the same path through the code.
    mkdirSync(join(engine.root, '.gymwright'), { recursive: true });
    writeFileSync(join(engine.root, '.gymwright/runs'), '');
    const study = await runToEnd(engine);
    expect(study.runs[0]).toMatchObject({ state: 'failed', error: { code: 'input.invalid' } });
    rmSync(join(engine.root, '.gymwright/runs'));
    await engine.supervisor.resume(study.studyId);
    expect((await engine.supervisor.whenSettled(study.studyId)).state).toBe('finished');
  });

  test.skipIf(process.getuid?.() === 0)('a read-only run folder is workspace.readOnly', async () => {
    const engine = openEngine(
      writeToyWorkspace(toyExperiment({ seeds: [1], arms: [{ name: 'fixed', coach: 'none' }] })),
    );
    mkdirSync(join(engine.root, '.gymwright/runs'), { recursive: true });
    chmodSync(join(engine.root, '.gymwright/runs'), 0o500);
    const study = await runToEnd(engine);
    expect(study.runs[0]?.error?.code).toBe('workspace.readOnly');
  });

  test('only the chosen arm and seed run', async () => {
    const engine = openEngine(writeToyWorkspace());
    const { studyId } = await engine.supervisor.start({
      experimentPath: 'experiments/toy.yaml',
      arm: 'fixed',
      seed: 9,
    });
    const { runs } = await engine.supervisor.whenSettled(studyId);
    expect(runs.map(({ arm, seed }) => ({ arm, seed }))).toEqual([{ arm: 'fixed', seed: 9 }]);
  });

  test('refuses an unknown arm, a missing file and an unknown study before anything is on record', async () => {
    const { supervisor } = openEngine(writeToyWorkspace());
    const experimentPath = 'experiments/toy.yaml';
    await expect(supervisor.start({ experimentPath, arm: 'none' })).rejects.toMatchObject({
      code: 'experiment.invalid',
    });
    await expect(supervisor.start({ experimentPath: 'x.yaml' })).rejects.toMatchObject({
      code: 'workspace.notFound',
    });
    await expect(supervisor.resume('nothing')).rejects.toMatchObject({ code: 'store.notFound' });
    expect(supervisor.list()).toEqual([]);
  });

  test('a person can ask for a proposal at the next boundary', async () => {
    slowDown(10);
    const experiment = toyExperiment({
      seeds: [1],
      arms: [{ name: 'coached' }],
      coach: { provider: 'rules', trigger: {} },
    });
    const engine = openEngine(writeToyWorkspace(experiment));
    const { studyId, runs } = await engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
    const runId = runs[0]?.runId ?? '';
    engine.supervisor.requestProposal(runId);
    await engine.supervisor.whenSettled(studyId);
    expect(engine.coach.calls).toEqual(['ask 0', 'try 0 at 0']);
    expect(() => engine.supervisor.requestProposal(runId)).toThrow(/no round boundary left/);
  });
});
