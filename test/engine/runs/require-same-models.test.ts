import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { layOutRanker } from '../../../src/engine/coach/learned/ranker-file.ts';
import { sha256 } from '../../../src/engine/files/index.ts';
import type { Store } from '../../../src/engine/store/index.ts';
import { rejectedBy } from '../../support/error-code.ts';
import { openToyEngine, toyExperiment, writeToyWorkspace } from '../../support/toy/toy-workspace.ts';

const experimentPath = 'experiments/toy.yaml';
const first = 'weights of the first';
const other = 'weights of the other';
const ranker = layOutRanker({
  ...{ kind: 'gymwright-ranker', version: 2, features: [] },
  logistic: { bias: 0, weights: [], means: [], scales: [] },
  trained: { trials: 20, studies: ['a', 'b'] },
});

/** A stopped study of one run whose coach asks `files`, which all hold the same to begin with. */
async function stoppedStudy(coach: object, files: readonly string[]) {
  const experiment = toyExperiment({ steps: 160, rounds: 4, seeds: [1], arms: [{ name: 'coached' }], coach });
  const root = writeToyWorkspace(experiment);
  const write = (file: string, content: string): void => writeFileSync(join(root, file), content);
  for (const folder of ['models', 'rankers']) mkdirSync(join(root, folder));
  for (const file of files) write(file, first);
  write(`rankers/${ranker.name}`, ranker.text);
  const engine = openToyEngine(root);
  onTestFinished(() => engine.remove());
  const { studyId } = await engine.supervisor.start({ experimentPath });
  await engine.supervisor.stop(studyId);
  return { ...engine, studyId, write };
}

/** Puts an answer of the run on record, of files that held this text. */
function answer(store: Store, studyId: string, setup: object | null = null): void {
  store.modelCalls.insert({
    ...{ modelCallId: 'c1', runId: `${studyId}.coached.1`, proposalId: null, requestKey: 'k' },
    ...{ model: 'tiny', modelHash: sha256(first), mode: 'rank', options: [], createdAt: 1 },
    ...{ promptHash: store.texts.put('prompt'), outputHash: store.texts.put('output') },
    ...{ details: { setup }, promptTokens: 1, outputTokens: 1, durationMs: 1 },
  });
}

const setup = { modelSha256: sha256(first), contextTokens: 512, gpu: null, gpuLayers: 0, threads: 1 };

describe('a study whose model has answered', { timeout: 60_000 }, () => {
  const llama = { provider: 'llama', model: 'models/tiny.gguf', trigger: { interval: 1 } };
  const cases = [
    { what: 'a model', coach: llama, file: 'models/tiny.gguf', files: ['models/tiny.gguf'] },
    {
      what: 'a scorer',
      coach: { ...llama, provider: 'learned', model: `rankers/${ranker.name}`, scorer: 'models/tiny.gguf' },
      file: 'models/tiny.gguf',
      files: ['models/tiny.gguf'],
    },
    {
      what: 'an adapter',
      coach: { ...llama, llama: { adapters: [{ file: 'models/lora.gguf' }] } },
      file: 'models/lora.gguf',
      files: ['models/tiny.gguf', 'models/lora.gguf'],
    },
  ];

  test.each(cases)('goes on with no other file in the place of $what', async ({ coach, file, files }) => {
    const { supervisor, store, studyId, write } = await stoppedStudy(coach, files);
    const adapters = files
      .slice(1)
      .map((each) => ({ file: `/before/${each}`, sha256: sha256(first), scale: 1 }));
    answer(store, studyId, { ...setup, adapters });
    write(file, other);
    const error = await rejectedBy(supervisor.resume(studyId));
    expect(error.code).toBe('experiment.invalid');
    for (const part of [file, sha256(first), sha256(other), 'Put that file back', 'new study'])
      expect(error.message).toContain(part);
    expect(store.studies.get(studyId).state).toBe('stopped');
    write(file, first);
    expect((await supervisor.resume(studyId)).state).toBe('running');
    await supervisor.stop(studyId);
  });

  test('is held to the hash of the file also where no more was kept', async () => {
    const { supervisor, store, studyId, write } = await stoppedStudy(llama, ['models/tiny.gguf']);
    answer(store, studyId);
    write('models/tiny.gguf', other);
    expect((await rejectedBy(supervisor.resume(studyId))).message).toContain(sha256(other));
  });

  test('has gone nowhere before its first answer, and begins with what is there', async () => {
    const { supervisor, studyId, write } = await stoppedStudy(llama, ['models/tiny.gguf']);
    write('models/tiny.gguf', other);
    const [one, two] = await Promise.all([supervisor.resume(studyId), supervisor.resume(studyId)]);
    expect([one.state, two.state]).toEqual(['running', 'running']);
    await supervisor.stop(studyId);
  });
});
