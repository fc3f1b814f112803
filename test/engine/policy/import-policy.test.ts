import { describe, expect, test } from 'vitest';
import { emitOnnx } from '../../../src/engine/learn/graph/emit.ts';
import { Graph } from '../../../src/engine/learn/graph/graph.ts';
import { encodeModel } from '../../../src/engine/learn/graph/onnx-proto.ts';
import {
  evaluatePolicies,
  type ImportOptions,
  importPolicy,
  openPolicy,
  readPolicyMetadata,
} from '../../../src/engine/policy/index.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { createCueEnv } from '../../support/cue-env.ts';

const numCues = 3;
const { manifest } = createCueEnv({ numEnvs: 1 });
const [group] = manifest.groups as [(typeof manifest.groups)[number]];

/** A model of somebody else that answers every cue: scores are the observation itself. */
function foreign(
  options: { width?: number; second?: boolean; mask?: boolean; rows?: number } = {},
): Uint8Array {
  const { width = numCues, rows } = options;
  const g = new Graph();
  const observation = g.input('observation', [rows ?? 2, width]);
  const scores = g.scale(observation, 3);
  const mask = options.mask ? g.input('mask', [2, width]) : null;
  return emitOnnx(
    g,
    { q: mask ? g.add(scores, mask) : scores, ...(options.second && { advantage: g.neg(scores) }) },
    { name: 'foreign', dynamicBatch: rows === undefined, producer: 'somebody' },
  );
}

/** A model of one operator, whose scores are nothing to go by. */
function unsound(type: string): Uint8Array {
  const port = (name: string) => ({ name, type: 'f32' as const, shape: ['batch', numCues] });
  return encodeModel({
    name: type,
    nodes: [{ type, inputs: ['observation'], outputs: ['q'], attributes: {} }],
    initializers: [],
    inputs: [port('observation')],
    outputs: [port('q')],
    producer: 'somebody',
    metadata: {},
  });
}

const take = (onnx: Uint8Array, options: Partial<ImportOptions> = {}): Promise<Uint8Array> =>
  importPolicy(onnx, { manifest, group, ...options });

describe('importPolicy', () => {
  test('makes a policy of a foreign model whose space fits, and it plays', async () => {
    const file = await take(foreign());
    expect(readPolicyMetadata(file)).toMatchObject({
      scenario: 'cues',
      group: 'agent',
      algorithm: 'imported',
      opset: 17,
      inputs: { obs: 'observation', logitBias: null, hidden: null },
      outputs: { scores: 'q', nextHidden: null },
      scoreKind: 'other',
    });
    const agent = await openPolicy(file);
    const { groups } = await evaluatePolicies({
      // Masks forbid one wrong action; the model knows nothing of them.
      createEnv: (numEnvs) => createCueEnv({ numEnvs, masks: true }),
      policies: { agent },
      episodes: 10,
      seed: 1n,
    });
    expect(groups.agent?.episodeReturn.mean).toBe(5);
    await agent.dispose();
  });

  test('takes ports by name where widths do not tell', async () => {
    const onnx = foreign({ second: true, mask: true });
    const file = await take(onnx, { ports: { obs: 'observation', scores: 'q', logitBias: 'mask' } });
    expect(readPolicyMetadata(file).inputs).toEqual({ obs: 'observation', logitBias: 'mask', hidden: null });
  });

  test.each<[string, Uint8Array, Partial<ImportOptions>, string, RegExp]>([
    [
      'another width',
      foreign({ width: 5 }),
      {},
      'space',
      /needs an input of shape \[batch, 3\].*it has "observation" float32 \[batch, 5\]/,
    ],
    [
      'two outputs that could be the scores',
      foreign({ second: true }),
      {},
      'space',
      /more than one output.*"advantage"/,
    ],
    [
      'a port that is not there',
      foreign(),
      { ports: { scores: 'logits' } },
      'space',
      /named "logits"; it has "q"/,
    ],
    [
      'an input nobody speaks of',
      foreign({ mask: true }),
      { ports: { obs: 'observation' } },
      'space',
      /wants "mask"/,
    ],
    [
      'a memory without its other end',
      foreign({ mask: true }),
      { ports: { obs: 'observation', hidden: 'mask' } },
      'space',
      /memory needs an input and an output/,
    ],
    ['a model for one row alone', foreign({ rows: 1 }), {}, 'space', /does not play 3 rows at once/],
    [
      'a mask that is not there',
      foreign(),
      { ports: { logitBias: 'mask' } },
      'space',
      /needs an input .* for the group's mask named "mask"; it has "observation"/,
    ],
    ['scores that are no numbers', unsound('Log'), {}, 'unusable', /one of them is NaN/],
    ['scores drawn at random', unsound('RandomNormalLike'), {}, 'unusable', /other scores for the same/],
    ['noise', new TextEncoder().encode('not a model'), {}, 'corrupt', /not a whole ONNX model/],
  ])('refuses %s', async (_, onnx, options, reason, message) => {
    const thrown: unknown = await take(onnx, options).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(AppError);
    expect(thrown).toMatchObject({ code: 'policy.invalid', data: { reason } });
    expect((thrown as AppError).message).toMatch(message);
  });

  test('refuses what says already what it plays, and says where it can be used', async () => {
    const file = await take(foreign());
    await expect(take(file)).rejects.toMatchObject({
      data: { reason: 'known' },
      message: expect.stringMatching(
        /^(?!.*as it is.*as it is).*as it is in `gymwright policy evaluate FILE`.*sim draw/,
      ),
    });
  });
});
