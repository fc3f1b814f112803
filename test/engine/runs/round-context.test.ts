import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readRoundContext, readRunExperience } from '../../../src/engine/runs/round-context.ts';
import type { RunServices } from '../../../src/engine/runs/services.ts';
import { listRunIdentities, readStudyExperiment } from '../../../src/engine/runs/study-records.ts';
import { toyEdl } from '../../support/toy/toy-edl.ts';
import { openToyEngine, toyExperiment, writeToyWorkspace } from '../../support/toy/toy-workspace.ts';

async function finishedRun(coach: object = {}) {
  const arms = [{ name: 'coached', coach }];
  const experiment = toyExperiment({ steps: 160, rounds: 2, seeds: [1], arms });
  const engine = openToyEngine(
    writeToyWorkspace(`${experiment.slice(0, -1)}, "opponents": {"rival": "first"}}`),
  );
  onTestFinished(() => engine.remove());
  const { studyId } = await engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
  await engine.supervisor.whenSettled(studyId);
  const services = { store: engine.store, root: engine.root, edl: toyEdl } as unknown as RunServices;
  const [run] = listRunIdentities(
    engine.store,
    readStudyExperiment(engine.store, services, studyId).experiment,
    studyId,
  );
  if (run === undefined) throw new Error('no run');
  const textHash = engine.store.rounds.find(run.runId, 0)?.environmentHash ?? '';
  const read = () =>
    readRoundContext(services, run, { round: 0, textHash, trialSteps: 0, isRequested: false, stage: null });
  return { engine, run, services, read };
}

describe('readRoundContext', { timeout: 120_000 }, () => {
  test('shows what was known when the round ended, however much came after', async () => {
    const { engine, run, read } = await finishedRun();
    const { store } = engine;
    const { report, series, chargedSteps } = read();
    const outcome = store.rounds.find(run.runId, 0)?.outcome;
    expect(chargedSteps).toBe(outcome?.chargedSteps);
    expect(report.objective).toBe(outcome?.objective);
    const { steps } = series.history('charts/episodic_return/agent');
    expect(steps).toHaveLength(4);
    expect(Math.max(...Array.from(steps))).toBe(chargedSteps);
    const keys = series.keys();
    store.series.append(run.runId, store.series.nextSequence(run.runId), [
      { key: 'charts/new', step: 500, value: 1 },
    ]);
    expect(read().series.keys()).toEqual(keys);
    expect(read().series.history('charts/new')).toEqual({ steps: [], values: [] });
    expect(read().series.history('no such key')).toEqual({ steps: [], values: [] });
  });

  test('names the files of a coach by their full paths, in whatever folder its host runs', async () => {
    const { engine, run, services } = await finishedRun();
    const { root } = engine;
    const boundary = { round: 0, textHash: '', trialSteps: 0, isRequested: false, stage: null };
    const textHash = engine.store.rounds.find(run.runId, 0)?.environmentHash ?? '';
    const adapters = [{ file: 'adapters/a.gguf', scale: 0.5 }];
    const llama = { context: 2048, gpu: 0, timeout: null, adapters };
    const arm = { ...run.arm, coach: { ...run.arm.coach, model: 'models/m.gguf', llama } };
    const { config } = readRoundContext(services, { ...run, arm }, { ...boundary, textHash });
    expect(config.model).toBe(join(root, 'models/m.gguf'));
    expect(config.llama).toEqual({
      ...llama,
      adapters: [{ file: join(root, 'adapters/a.gguf'), scale: 0.5 }],
    });
    expect(readRoundContext(services, run, { ...boundary, textHash }).config).not.toHaveProperty('llama');
  });

  test('carries opponents, iteration size and recorded steps', async () => {
    const { read } = await finishedRun();
    const context = read();
    expect(context.environment.spec.scripted).toEqual({ rival: 'first' });
    expect(context.stepsPerIteration).toBe(20);
    const { round, steps, stretches } = await context.readRecording();
    expect(round).toBe(0);
    expect(stretches.flatMap((stretch) => stretch.steps)).toHaveLength(steps.length);
    expect(Math.max(...stretches.map((stretch) => stretch.steps.length))).toBeGreaterThan(1);
  });
});

describe('readRunExperience', { timeout: 120_000 }, () => {
  test.each([
    ['none', null],
    ['300%', 3],
  ])('has the bound of a term that the experiment sets: %s', async (term, termShare) => {
    const { engine, run } = await finishedRun({ shaping: { term } });
    expect(readRunExperience(engine.store, engine.root, run.runId)).toMatchObject({ termShare });
  });
});
