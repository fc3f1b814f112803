import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { layOutRanker } from '../../../src/engine/coach/learned/ranker-file.ts';
import { sha256 } from '../../../src/engine/files/index.ts';
import { planFile } from '../../../src/engine/runs/plan/plan-file.ts';
import { requireCoaches } from '../../../src/engine/runs/require-coaches.ts';
import { coachConfig } from '../../support/coach-world.ts';
import { rejectedBy } from '../../support/error-code.ts';
import { toyEdl } from '../../support/toy/toy-edl.ts';
import { toyLearners } from '../../support/toy/toy-learner.ts';
import { openToyEngine, toyExperiment, writeToyWorkspace } from '../../support/toy/toy-workspace.ts';

const variable = 'GYMWRIGHT_TEST_START_KEY';
afterEach(() => void Reflect.deleteProperty(process.env, variable));

const http = { url: 'http://127.0.0.1:9/v1', key: variable };
const arms = [
  { name: 'fixed', coach: 'none' },
  { name: 'asking', coach: { provider: 'http', model: 'big', http } },
];
const experimentPath = 'experiments/toy.yaml';

function openEngine() {
  const engine = openToyEngine(writeToyWorkspace(toyExperiment({ steps: 160, rounds: 4, seeds: [1], arms })));
  onTestFinished(() => engine.remove());
  return engine;
}

test('requireCoaches asks nothing of arms that ask no endpoint', () => {
  const of = (provider: 'rules' | 'http') => [
    { coach: { ...coachConfig, provider, http: { ...http, timeout: 1, context: 1024 } } },
  ];
  requireCoaches(of('rules'), '.');
  expect(() => requireCoaches(of('http'), '.')).toThrow(`the environment variable ${variable} is not set`);
});

describe('an endpoint whose key is missing', { timeout: 60_000 }, () => {
  test('is refused before anything is on record, by start and plan', async () => {
    const { supervisor, store, root } = openEngine();
    const error = await rejectedBy(supervisor.start({ experimentPath }));
    expect(error).toMatchObject({ code: 'input.invalid', message: expect.stringContaining(variable) });
    expect(store.studies.list()).toEqual([]);
    const tools = { root, store, trainers: 1, edl: toyEdl, learners: toyLearners };
    const plan = (arm: string | null) =>
      planFile(tools, { experimentPath: join(root, experimentPath), arm, seed: null });
    expect(() => plan(null)).toThrow(variable);
    expect(plan('fixed').arms).toHaveLength(1);
  });

  test('is refused when a study is taken up, which stays as it is', async () => {
    process.env[variable] = 'sk-0123456789';
    const { supervisor, store } = openEngine();
    const { studyId } = await supervisor.start({ experimentPath });
    await supervisor.stop(studyId);
    Reflect.deleteProperty(process.env, variable);
    expect((await rejectedBy(supervisor.resume(studyId))).message).toContain(variable);
    expect(store.studies.get(studyId).state).toBe('stopped');
    process.env[variable] = 'sk-0123456789';
    expect((await supervisor.resume(studyId)).state).toBe('running');
    await supervisor.stop(studyId);
  });
});

describe('a ranker', { timeout: 60_000 }, () => {
  const logistic = { bias: 0, weights: [1], means: [0], scales: [1] };
  const { text } = layOutRanker({
    ...{ kind: 'gymwright-ranker', version: 2, features: ['remove reward'], logistic },
    trained: { trials: 20, studies: ['a', 'b'] },
  });

  /** A workspace whose experiment names a ranker of this text. */
  function openWith(ranker: string) {
    const model = `rankers/ranker-${sha256(ranker).slice(0, 16)}.json`;
    const coach = { provider: 'learned', model, trigger: { interval: 1 } };
    const root = writeToyWorkspace(toyExperiment({ steps: 160, rounds: 4, seeds: [1], coach }));
    const write = (content: string): void => writeFileSync(join(root, model), content);
    mkdirSync(join(root, 'rankers'));
    write(ranker);
    const engine = openToyEngine(root);
    onTestFinished(() => engine.remove());
    return { ...engine, write };
  }

  test('of another version is refused before anything is on record', async () => {
    const { supervisor, store } = openWith(text.replace('"version": 2', '"version": 1'));
    const error = await rejectedBy(supervisor.start({ experimentPath }));
    expect(error).toMatchObject({ code: 'input.invalid', message: expect.stringContaining('coach learn') });
    expect(store.studies.list()).toEqual([]);
  });

  test('that was changed is refused when a study is taken up, which stays as it is', async () => {
    const { supervisor, store, write } = openWith(text);
    const { studyId } = await supervisor.start({ experimentPath });
    await supervisor.stop(studyId);
    write(text.replace('"bias": 0', '"bias": 1'));
    expect((await rejectedBy(supervisor.resume(studyId))).code).toBe('input.invalid');
    expect(store.studies.get(studyId).state).toBe('stopped');
    write(text);
    expect((await supervisor.resume(studyId)).state).toBe('running');
    await supervisor.stop(studyId);
  });
});
