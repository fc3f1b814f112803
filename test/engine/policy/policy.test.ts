import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emitOnnx } from '../../../src/engine/learn/graph/emit.ts';
import { Graph } from '../../../src/engine/learn/graph/graph.ts';
import { createLearner, ippoDefaults } from '../../../src/engine/learn/index.ts';
import { openPolicy, type Policy, readPolicyMetadata } from '../../../src/engine/policy/index.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { CounterRng } from '../../../src/shared/std/rng.ts';
import { createCueEnv } from '../../support/cue-env.ts';

const run = promisify(execFile);
const obsDim = 4;
const groups = { agent: { agents: 1, cues: obsDim } };

let onnx: Uint8Array;
let policy: Policy;

beforeAll(async () => {
  const config = { ...ippoDefaults, hidden: 16, numEnvs: 16, numSteps: 20, minibatchSize: 64 };
  const env = createCueEnv({ numEnvs: 16, groups });
  const learner = await createLearner({ env, config, seed: 1 });
  for (let i = 0; i < 3; i++) await learner.iterate();
  onnx = (learner.policies()[0] as { onnx: Uint8Array }).onnx;
  await learner.dispose();
  policy = await openPolicy(onnx);
});

afterAll(() => policy.dispose());

function randomObs(rows: number): Float32Array {
  const rng = new CounterRng(1n, 0);
  return Float32Array.from({ length: rows * obsDim }, () => rng.nextNormal());
}

async function act(
  rows: number,
  obs: Float32Array,
  availActions: Uint8Array | null = null,
): Promise<number[]> {
  const actions = new Int32Array(rows);
  await policy.actGreedy({ rows, obs, availActions }, actions);
  return Array.from(actions);
}

const reasonOf = async (promise: Promise<unknown>): Promise<unknown> => {
  const thrown: unknown = await promise.catch((error: unknown) => error);
  return thrown instanceof AppError && thrown.code === 'policy.invalid'
    ? (thrown.data as { reason: string }).reason
    : thrown;
};

describe('readPolicyMetadata', () => {
  test('tells scenario, group, spaces, versions and the hash of the parameters', () => {
    expect(readPolicyMetadata(onnx)).toMatchObject({
      format: 2,
      opset: 17,
      algorithm: 'ippo',
      scenario: 'cues',
      group: 'agent',
      obsDim: 4,
      numActions: 4,
      actionNames: ['answer_0', 'answer_1', 'answer_2', 'answer_3'],
      parameterHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

describe('readPolicyMetadata of format 1', () => {
  test('tells what it means in format 2', () => {
    const g = new Graph();
    const obs = g.input('obs', [2, 4]);
    const logProbs = g.logSoftmax(g.add(obs, g.input('logitBias', [2, 4])));
    const old = {
      format: 1,
      library: 'gymwright 0.1.0',
      opset: 17,
      algorithm: 'ippo',
      scenario: 'cues',
      scenarioVersion: 1,
      group: 'agent',
      obsDim: 4,
      numActions: 4,
      actionNames: ['a', 'b', 'c', 'd'],
      inputs: { obs: 'obs', logitBias: 'logitBias' },
      outputs: { logProbs: 'logProbs' },
      normalisation: 'none',
      actionTransform: 'argmax',
      hidden: [64, 64],
      activation: 'tanh',
      parameterHash: 'abc',
    };
    const metadata = { 'gymwright.policy': JSON.stringify(old) };
    const file = emitOnnx(g, { logProbs }, { name: 'old', dynamicBatch: true, metadata });
    expect(readPolicyMetadata(file)).toMatchObject({
      format: 2,
      extras: [],
      hiddenDim: 0,
      inputs: { obs: 'obs', logitBias: 'logitBias', hidden: null },
      outputs: { scores: 'logProbs', nextHidden: null },
      layers: ['linear 64 tanh', 'linear 64 tanh'],
    });
  });
});

describe('openPolicy', () => {
  test('acts on a single row as within a batch, whatever the batch', async () => {
    const rows = 67;
    const obs = randomObs(rows);
    const together = await act(rows, obs);
    expect(new Set(together).size).toBeGreaterThan(1);
    for (const size of [1, 2, 3, 16, 33]) {
      for (let start = 0; start + size <= rows; start += size) {
        const part = await act(size, obs.subarray(start * obsDim));
        expect(part, `${size} rows from ${start}`).toEqual(together.slice(start, start + size));
      }
    }
  });

  test('never takes an illegal action', async () => {
    const obs = randomObs(8);
    const free = await act(8, obs);
    const mask = new Uint8Array(8 * 4).fill(1);
    for (const [i, action] of free.entries()) mask[i * 4 + action] = 0;
    const masked = await act(8, obs, mask);
    for (const [i, action] of masked.entries()) expect(action, `row ${i}`).not.toBe(free[i]);
  });

  test('gives the same actions and log probabilities in Python', async (context) => {
    const version = await pythonRuntime();
    if (version === null) context.skip('python3 has no onnxruntime and numpy here');
    const rows = 256;
    const folder = await mkdtemp(path.join(tmpdir(), 'policy-'));
    try {
      const obs = randomObs(rows);
      await writeFile(path.join(folder, 'policy.onnx'), onnx);
      await writeFile(path.join(folder, 'obs.bin'), obs);
      const { stdout } = await run('python3', ['-c', pythonProgram, folder, String(obsDim)]);
      const answer = JSON.parse(stdout) as { actions: number[]; metadata: string };
      expect(answer.actions).toEqual(await act(rows, obs));
      expect(JSON.parse(answer.metadata)).toEqual(readPolicyMetadata(onnx));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('refuses a truncated file as corrupt', async () => {
    for (const length of [0, 1, 100, onnx.length - 1, Math.floor(onnx.length / 2)]) {
      expect(await reasonOf(openPolicy(onnx.subarray(0, length))), `${length} bytes`).toBe('corrupt');
    }
  });

  test('refuses noise as corrupt, even inside the graph', async () => {
    expect(await reasonOf(openPolicy(new TextEncoder().encode('PK this is no model')))).toBe('corrupt');
    const damaged = replace('Gemm', 'Germ');
    expect(await reasonOf(openPolicy(damaged))).toBe('corrupt');
  });

  test('refuses a model without our metadata as foreign', async () => {
    expect(await reasonOf(openPolicy(replace('gymwright.policy', 'somebody.elses__')))).toBe('foreign');
  });

  test('refuses a later format as newer and says what to do', async () => {
    const newer = openPolicy(replace('"format":2', '"format":7'));
    expect(await reasonOf(newer)).toBe('newer');
    await expect(newer).rejects.toThrow(/Update Gymwright/);
  });

  test('refuses metadata that does not describe the graph', async () => {
    expect(await reasonOf(openPolicy(replace('"obsDim":4', '"obsDim":5')))).toBe('corrupt');
    expect(await reasonOf(openPolicy(replace('"scenario"', '"scenariX"')))).toBe('corrupt');
  });
});

/** The policy file with every occurrence of a text replaced by one of the same length. */
function replace(from: string, to: string): Uint8Array {
  const text = Buffer.from(onnx).toString('latin1');
  expect(text).toContain(from);
  expect(to).toHaveLength(from.length);
  return Uint8Array.from(Buffer.from(text.replaceAll(from, to), 'latin1'));
}

async function pythonRuntime(): Promise<string | null> {
  try {
    const probe = 'import onnxruntime, numpy; print(onnxruntime.__version__)';
    return (await run('python3', ['-c', probe])).stdout.trim();
  } catch {
    return null;
  }
}

const pythonProgram = `
import json, sys
import numpy, onnxruntime
folder, width = sys.argv[1], int(sys.argv[2])
obs = numpy.fromfile(folder + '/obs.bin', dtype='<f4').reshape(-1, width)
session = onnxruntime.InferenceSession(folder + '/policy.onnx', providers=['CPUExecutionProvider'])
text = session.get_modelmeta().custom_metadata_map['gymwright.policy']
bias = numpy.zeros((len(obs), json.loads(text)['numActions']), dtype=numpy.float32)
(log_probs,) = session.run(['logProbs'], {'obs': obs, 'logitBias': bias})
assert numpy.allclose(numpy.exp(log_probs).sum(axis=1), 1, atol=1e-5)
print(json.dumps({'actions': log_probs.argmax(axis=1).tolist(), 'metadata': text}))
`;
