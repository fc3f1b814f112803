import { describe, expect, test } from 'vitest';
import { Graph } from '../../../../src/engine/learn/graph/graph.ts';
import {
  applyFrozenGru,
  applyGru,
  type GruShape,
  gruParameters,
} from '../../../../src/engine/learn/nn/gru.ts';
import { ParameterLayout } from '../../../../src/engine/learn/nn/parameters.ts';
import { CounterRng } from '../../../../src/shared/std/rng.ts';
import { prepare } from '../../../support/run-graph.ts';

const shape: GruShape = { name: 'gru', inputs: 2, hidden: 3, initialisation: 'uniform' };
const [numSteps, rows] = [4, 2];
const layout = new ParameterLayout(gruParameters(shape));
const flat = layout.initialise(new CounterRng(5n, 0));
const rng = new CounterRng(6n, 0);
const x = Array.from({ length: shape.inputs * numSteps * rows }, () => rng.nextNormal());
const start = Array.from({ length: shape.hidden * rows }, () => rng.nextNormal());

/** Columns of a sequence or of one state, as rows. */
function columns(values: ArrayLike<number>, height: number): number[][] {
  const width = values.length / height;
  return Array.from({ length: width }, (_, i) =>
    Array.from({ length: height }, (_, k) => values[k * width + i] as number),
  );
}

/** The unit written out for one row: the definition, with no thought of speed. */
function stepOf(input: readonly number[], hidden: readonly number[]): number[] {
  const product = (key: string, vector: readonly number[], gate: number, unit: number): number => {
    const row = gate * shape.hidden + unit;
    const weights = layout.block(flat, `gru.${key}.weight`);
    return vector.reduce((sum, v, k) => sum + v * (weights[row * vector.length + k] as number), 0);
  };
  const bias = layout.block(flat, 'gru.input.bias');
  const hiddenBias = layout.block(flat, 'gru.hidden.bias');
  const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));
  return hidden.map((before, i) => {
    const of = (gate: number): number =>
      product('input', input, gate, i) + (bias[gate * shape.hidden + i] ?? 0);
    const reset = sigmoid(of(0) + product('hidden', hidden, 0, i));
    const update = sigmoid(of(1) + product('hidden', hidden, 1, i));
    const candidate = Math.tanh(of(2) + reset * (product('hidden', hidden, 2, i) + (hiddenBias[i] ?? 0)));
    return (1 - update) * candidate + update * before;
  });
}

function expectedStates(keep: readonly number[]): number[][] {
  const inputs = columns(x, shape.inputs);
  const states: number[][] = columns(start, shape.hidden);
  for (let t = 0; t < numSteps; t++) {
    for (let i = 0; i < rows; i++) {
      const before = (states[t * rows + i] as number[]).map((h) => h * (keep[t * rows + i] as number));
      states.push(stepOf(inputs[t * rows + i] as number[], before));
    }
  }
  return states.slice(rows);
}

async function run(keep: readonly number[] | null): Promise<Record<string, number[]>> {
  const g = new Graph();
  const parameters = layout.unpack(g, g.input('parameters', [1, layout.size]));
  const sequence = {
    h0: g.input('h0', [shape.hidden, rows]),
    numSteps,
    ...(keep && { keep: g.constant(keep, [1, keep.length]) }),
  };
  const hidden = applyGru(g, shape, parameters, g.input('x', [shape.inputs, numSteps * rows]), sequence);
  return await (await prepare(g, { hidden }))({ parameters: flat, h0: start, x });
}

describe('applyGru', () => {
  test.each([
    ['without restarts', null],
    ['with rows that start anew', [1, 1, 0, 1, 1, 1, 1, 0]],
  ])('computes the unit step by step, %s', async (_, keep) => {
    const { hidden } = await run(keep);
    const expected = expectedStates(keep ?? new Array(numSteps * rows).fill(1));
    const got = columns(hidden as number[], shape.hidden);
    for (const [i, state] of expected.entries()) {
      for (const [k, value] of state.entries()) expect(got[i]?.[k], `column ${i}`).toBeCloseTo(value, 5);
    }
  });

  test('refuses inputs of another width, naming both shapes', () => {
    const g = new Graph();
    const inputs = { gates: g.input('gates', [6, 5]), candidates: g.input('candidates', [3, 5]) };
    const weights = { u: g.input('u', [9, 3]), bias: g.input('bias', [3, 1]) };
    const steps = { numSteps: 3, h0: g.input('h0', [3, 2]) };
    expect(() => g.gru({ ...inputs, ...weights }, steps)).toThrow(/gates \[6,5\]: \[6,6\] expected/);
  });
});

describe('applyFrozenGru', () => {
  test('is the same unit, in rows', async () => {
    const g = new Graph();
    const next = applyFrozenGru(
      g,
      shape,
      layout,
      flat,
      g.input('x', [rows, shape.inputs]),
      g.input('hidden', [rows, shape.hidden]),
    );
    const inputs = columns(x, shape.inputs).slice(0, rows);
    const states = columns(start, shape.hidden);
    const result = await (await prepare(g, { next }))({ x: inputs.flat(), hidden: states.flat() });
    for (const [i, value] of inputs.flatMap((row, r) => stepOf(row, states[r] as number[])).entries()) {
      expect(result.next?.[i]).toBeCloseTo(value, 5);
    }
  });
});

describe('gruParameters', () => {
  test('starts orthogonally with zero biases where asked to', () => {
    const orthogonal = new ParameterLayout(gruParameters({ ...shape, initialisation: 'orthogonal' }));
    const values = orthogonal.initialise(new CounterRng(1n, 0));
    expect([...orthogonal.block(values, 'gru.input.bias')]).toEqual(new Array(9).fill(0));
    const weight = orthogonal.block(values, 'gru.hidden.weight').subarray(9, 18);
    for (const i of [0, 1, 2]) {
      for (const j of [0, 1, 2]) {
        const dot = [0, 1, 2].reduce(
          (sum, k) => sum + (weight[i * 3 + k] ?? 0) * (weight[j * 3 + k] ?? 0),
          0,
        );
        expect(dot).toBeCloseTo(i === j ? 1 : 0, 5);
      }
    }
  });
});
