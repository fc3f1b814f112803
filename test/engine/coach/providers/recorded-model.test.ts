import { describe, expect, test } from 'vitest';
import { RecordedModel } from '../../../../src/engine/coach/providers/recorded-model.ts';
import type { GenerateAnswer, ModelService } from '../../../../src/engine/coach/types.ts';
import { AppError } from '../../../../src/shared/std/app-error.ts';
import { rejectedBy } from '../../../support/error-code.ts';
import { insertProposal, storeWithRun } from '../../../support/store-records.ts';

const identity = {
  path: 'm.gguf',
  name: 'm',
  sha256: 'abc',
  parameters: 1,
  mode: 'generate',
  contextLength: 512,
} as const;
const request = { prompt: 'Edit?', grammar: null, temperature: 0, seed: 1, maxTokens: 9 };
const answer: GenerateAnswer = {
  text: '{"a":1}',
  logProbs: [-0.5, -0.1],
  promptTokens: 12,
  outputTokens: 2,
  stopReason: 'end',
  durationMs: 7,
};

/** A service that fails `failures` times before it answers. */
function service(failures: readonly AppError[] = []): ModelService & { calls: number } {
  const left = [...failures];
  return {
    calls: 0,
    load: async () => identity,
    score: () => Promise.reject(new Error('not asked')),
    embed: () => Promise.reject(new Error('not asked for')),
    sample: () => Promise.reject(new Error('not asked')),
    async generate() {
      this.calls++;
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      return answer;
    },
  };
}

const lost = () => new AppError('modelHost.died', 'killed');

function setUp(failures: readonly AppError[] = []) {
  const store = storeWithRun();
  insertProposal(store);
  const model = service(failures);
  const context = { runId: 'r1', proposalId: 'p1', now: () => 5, signal: new AbortController().signal };
  return { store, model, context, recorded: new RecordedModel(identity, model, store) };
}

describe('RecordedModel', () => {
  test('puts prompt, output, probabilities, tokens and time on record', async () => {
    const { store, recorded, context } = setUp();
    expect(await recorded.generate(request, context)).toEqual(answer);
    const [call] = store.modelCalls.listByProposal('p1');
    expect(call).toMatchObject({
      mode: 'generate',
      model: 'm',
      modelHash: 'abc',
      promptTokens: 12,
      outputTokens: 2,
      durationMs: 7,
    });
    expect(store.texts.get(call?.promptHash ?? '')).toBe('Edit?');
    expect(store.texts.get(call?.outputHash ?? '')).toBe('{"a":1}');
    expect(call?.details).toMatchObject({ answer: { logProbs: [-0.5, -0.1] } });
  });

  test('what the model was loaded with is on record, and is no part of the question', async () => {
    const { store, model, recorded, context } = setUp();
    const setup = {
      ...{ modelSha256: 'abc', contextTokens: 512, gpu: 'cuda', gpuLayers: 12, threads: 1 },
      adapters: [],
    };
    await new RecordedModel({ ...identity, setup }, model, store).generate(request, context);
    expect(store.modelCalls.listByProposal('p1')[0]?.details).toMatchObject({ setup });
    await recorded.generate(request, context);
    expect(model.calls).toBe(1);
  });

  test('an answer on record is not asked for again', async () => {
    const { store, model, recorded, context } = setUp();
    await recorded.generate(request, context);
    expect(await new RecordedModel(identity, model, store).generate(request, context)).toEqual(answer);
    expect(model.calls).toBe(1);
  });

  test('another request, or another model, is asked', async () => {
    const { store, model, recorded, context } = setUp();
    await recorded.generate(request, context);
    await recorded.generate({ ...request, seed: 2 }, context);
    await new RecordedModel({ ...identity, sha256: 'def' }, model, store).generate(request, context);
    expect(model.calls).toBe(3);
  });

  test('a host that died is asked again, since the answer does not depend on it', async () => {
    const { model, recorded, context } = setUp([lost(), lost()]);
    expect(await recorded.generate(request, context)).toEqual(answer);
    expect(model.calls).toBe(3);
  });

  test('after three deaths the error is handed on, and other errors at once', async () => {
    const three = setUp([lost(), lost(), lost()]);
    expect((await rejectedBy(three.recorded.generate(request, three.context))).code).toBe('modelHost.died');
    const other = setUp([new AppError('model.contextOverflow', 'too long')]);
    expect((await rejectedBy(other.recorded.generate(request, other.context))).code).toBe(
      'model.contextOverflow',
    );
    expect(other.model.calls).toBe(1);
    expect(other.store.modelCalls.listByProposal('p1')).toEqual([]);
  });
});
