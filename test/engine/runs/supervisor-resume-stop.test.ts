import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sha256 } from '../../../src/engine/files/index.ts';
import { rejectedBy } from '../../support/error-code.ts';
import { openToyEngine, toyExperiment, writeToyWorkspace } from '../../support/toy/toy-workspace.ts';

/** Hashes that wait to be let through, as those of large files do. */
const hashes = vi.hoisted(() => ({ waiting: [] as (() => void)[] }));

vi.mock('../../../src/engine/coach/model/file-hash.ts', async (original) => {
  const { hashFile } = await original<typeof import('../../../src/engine/coach/model/file-hash.ts')>();
  return {
    hashFile: async (...args: Parameters<typeof hashFile>) => {
      await new Promise<void>((resolve) => hashes.waiting.push(resolve));
      return hashFile(...args);
    },
  };
});

function letThrough(count = hashes.waiting.length): void {
  for (const resolve of hashes.waiting.splice(0, count)) resolve();
}

/** A stopped study whose model has answered, so that its file is hashed before it goes on. */
async function stoppedStudy() {
  const coach = { provider: 'llama', model: 'models/tiny.gguf', trigger: { interval: 1 } };
  const experiment = toyExperiment({ steps: 160, rounds: 4, seeds: [1], arms: [{ name: 'coached' }], coach });
  const root = writeToyWorkspace(experiment);
  mkdirSync(join(root, 'models'));
  writeFileSync(join(root, 'models/tiny.gguf'), 'weights');
  const engine = openToyEngine(root);
  onTestFinished(() => engine.remove());
  const { studyId } = await engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
  await engine.supervisor.stop(studyId);
  engine.store.modelCalls.insert({
    ...{ modelCallId: 'c1', runId: `${studyId}.coached.1`, proposalId: null, requestKey: 'k' },
    ...{ model: 'tiny', modelHash: sha256('weights'), mode: 'rank', options: [], createdAt: 1 },
    ...{ promptHash: engine.store.texts.put('prompt'), outputHash: engine.store.texts.put('output') },
    ...{ details: { setup: null }, promptTokens: 1, outputTokens: 1, durationMs: 1 },
  });
  return { ...engine, studyId };
}

describe('a study whose model file is hashed before it goes on', { timeout: 60_000 }, () => {
  beforeEach(() => {
    hashes.waiting.length = 0;
  });

  test('stays stopped when it is stopped meanwhile', async () => {
    const { supervisor, studyId } = await stoppedStudy();
    const resuming = supervisor.resume(studyId);
    expect((await supervisor.stop(studyId)).state).toBe('stopped');
    letThrough();
    expect((await resuming).state).toBe('stopped');
    expect([supervisor.get(studyId).state, supervisor.runningRuns]).toEqual(['stopped', 0]);
  });

  test('is taken up once by two who ask, and not again after it was stopped', async () => {
    const { supervisor, studyId } = await stoppedStudy();
    const [one, two] = [supervisor.resume(studyId), supervisor.resume(studyId)];
    letThrough(1);
    expect((await one).state).toBe('running');
    await supervisor.stop(studyId);
    letThrough();
    await two;
    expect([supervisor.get(studyId).state, supervisor.runningRuns]).toEqual(['stopped', 0]);
  });

  test('goes on for whoever takes it up after the stop', async () => {
    const { supervisor, studyId } = await stoppedStudy();
    const before = supervisor.resume(studyId);
    await supervisor.stop(studyId);
    const after = supervisor.resume(studyId);
    letThrough();
    expect((await after).state).toBe('running');
    await before;
    await supervisor.stop(studyId);
  });

  test('is left alone by an engine that closes meanwhile', async () => {
    const { supervisor, studyId } = await stoppedStudy();
    const refused = rejectedBy(supervisor.resume(studyId));
    await supervisor.close();
    letThrough();
    expect((await refused).code).toBe('engine.unavailable');
    expect(supervisor.get(studyId).state).toBe('stopped');
  });
});
