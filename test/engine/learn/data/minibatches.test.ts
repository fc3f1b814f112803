import { describe, expect, test } from 'vitest';
import { Minibatches } from '../../../../src/engine/learn/data/minibatches.ts';
import { RolloutBuffer } from '../../../../src/engine/learn/data/rollout-buffer.ts';
import { CounterRng } from '../../../../src/shared/std/rng.ts';

/** Five rows of two observations and three actions; row i holds numbers that tell i. */
function createBuffer(): RolloutBuffer {
  const buffer = new RolloutBuffer({ firstAgent: 0, numAgents: 1, obsDim: 2, numActions: 3 }, 5, 1);
  for (let i = 0; i < 5; i++) {
    buffer.obs.set([i, i + 0.5, 1], i * 3);
    buffer.actions[i] = i % 3;
    buffer.logProbs[i] = -i;
    buffer.advantages[i] = 10 * i;
    buffer.returns[i] = 100 + 4 * i;
  }
  return buffer;
}

/** Single rows, three to a minibatch. */
const rowByRow = { numSteps: 1, numAgents: 1, slices: [3], hasOldValues: false, criticRowOf: () => 0 };

const scale = { returnMean: 100, returnDeviation: 2, valueMean: 0, valueDeviation: 1, normAdv: false };

/** Two minibatches of three: the second one lacks a row. */
function deal(buffer = createBuffer(), options = scale, seed = 1n): Minibatches {
  const minibatches = new Minibatches(buffer, rowByRow);
  minibatches.deal(buffer, new CounterRng(seed, 0), options);
  return minibatches;
}

const data = (minibatches: Minibatches, m: number, name: string): number[] =>
  Array.from(minibatches.feeds[m]?.[name]?.data as Float32Array);

const rowsOf = (minibatches: Minibatches, m: number): number[] =>
  data(minibatches, m, 'logProbs')
    .slice(0, m === 0 ? 3 : 2)
    .map((value) => -value);

describe('Minibatches.deal', () => {
  test('deals every row once and keeps what belongs to it together', () => {
    const minibatches = deal();
    const rows = [...rowsOf(minibatches, 0), ...rowsOf(minibatches, 1)];
    expect([...rows].sort()).toEqual([0, 1, 2, 3, 4]);
    for (const m of [0, 1]) {
      for (const [slot, row] of rowsOf(minibatches, m).entries()) {
        expect(data(minibatches, m, 'obs').slice(slot * 3, slot * 3 + 3)).toEqual([row, row + 0.5, 1]);
        expect(data(minibatches, m, 'actions')[slot]).toBe(row % 3);
        expect(data(minibatches, m, 'advantages')[slot]).toBe(10 * row);
        expect(data(minibatches, m, 'returns')[slot]).toBe(2 * row);
      }
    }
  });

  test('deals differently under another seed, and every row into every minibatch', () => {
    const partners = new Set<number>();
    for (let seed = 0n; seed < 30n; seed++) {
      for (const row of rowsOf(deal(createBuffer(), scale, seed), 1)) partners.add(row);
    }
    expect(partners.size).toBe(5);
  });

  test('gives padded rows no weight', () => {
    const minibatches = deal();
    expect(data(minibatches, 0, 'weights')).toEqual([1, 1, 1].map((x) => Math.fround(x / 3)));
    expect(data(minibatches, 1, 'weights')).toEqual([0.5, 0.5, 0]);
  });

  test('normalises advantages over the valid rows of each minibatch', () => {
    const minibatches = deal(createBuffer(), { ...scale, normAdv: true });
    const short = data(minibatches, 1, 'advantages').slice(0, 2);
    expect(short.sort((a, b) => a - b)).toEqual([expect.closeTo(-1, 5), expect.closeTo(1, 5)]);
    const full = data(minibatches, 0, 'advantages');
    expect(full.reduce((a, b) => a + b)).toBeCloseTo(0, 5);
    expect(full.reduce((sum, x) => sum + x * x, 0)).toBeCloseTo(3, 4);
  });

  test('forbids what was illegal, in columns, and forgets it with the next rollout', () => {
    const buffer = createBuffer();
    buffer.availActions[1 * 3 + 2] = 0;
    buffer.hasIllegal = true;
    const minibatches = deal(buffer);
    const m = rowsOf(minibatches, 0).includes(1) ? 0 : 1;
    const slot = rowsOf(minibatches, m).indexOf(1);
    // Action 2 is the third line of [3,3].
    expect(data(minibatches, m, 'logitBias')).toEqual(
      Array(9)
        .fill(0)
        .with(6 + slot, -1e9),
    );
    minibatches.deal(createBuffer(), new CounterRng(1n, 0), scale);
    expect(data(minibatches, m, 'logitBias')).toEqual(Array(9).fill(0));
  });
});

describe('Minibatches.deal of chunks of teams', () => {
  const [E, A, T, L, H] = [3, 2, 4, 2, 2];
  const R = E * A;

  /** Row i of the rollout has the log probability -i; states, memories and starts tell where they are from. */
  function createTeam(): RolloutBuffer {
    const view = { firstAgent: 0, numAgents: A, obsDim: 1, numActions: 2 };
    const extras = { stateDim: 1, chunkLength: L, hidden: H, criticRows: A };
    const buffer = new RolloutBuffer(view, E, T, extras);
    for (let i = 0; i < T * R; i++) {
      buffer.obs[i * 2] = i;
      buffer.logProbs[i] = -i;
      buffer.advantages[i] = i;
      buffer.values[i] = 10 * i;
    }
    for (let s = 0; s < T * E; s++) buffer.state[s * 2] = 100 + s;
    for (let k = 0; k < (T / L) * R * H; k++) {
      buffer.actorHidden[k] = k;
      buffer.criticHidden[k] = 1000 + k;
    }
    // Copy 1 begins an episode with step 3.
    buffer.starts[3 * E + 1] = 1;
    return buffer;
  }

  /** Chunks of two steps, two to a minibatch; memories of the critic lie agent by agent. */
  const chunks = {
    numSteps: L,
    numAgents: A,
    slices: [2],
    hasOldValues: true,
    criticRowOf: (copy: number, agent: number) => agent * E + copy,
  };

  test('slices follow each other, with their memories too', () => {
    const buffer = createTeam();
    const minibatches = new Minibatches(buffer, { ...chunks, slices: [1, 1] });
    minibatches.deal(buffer, new CounterRng(2n, 0), scale);
    for (const m of minibatches.feeds.keys()) {
      const rows = data(minibatches, m, 'logProbs').map((value) => -value);
      for (let c = 0; c < 2; c++) {
        // A slice of one chunk: its agents at the first step, then at the second.
        const first = rows[c * L * A] as number;
        expect(rows.slice(c * L * A, (c + 1) * L * A)).toEqual([first, first + 1, first + R, first + R + 1]);
        const [step, place] = [Math.floor(first / R), first % R];
        const expected = ((step / L) * R + place) * H;
        const memories = data(minibatches, m, 'actorHidden').slice(c * A * H, (c + 1) * A * H);
        expect(memories).toEqual([0, 1, 2, 3].map((k) => expected + k));
        expect(data(minibatches, m, 'state')[c * L * 2]).toBe(100 + step * E + place / A);
      }
    }
  });

  test('rows lie step by step, agent by agent, chunk by chunk, with their states and memories', () => {
    const buffer = createTeam();
    const minibatches = new Minibatches(buffer, chunks);
    minibatches.deal(buffer, new CounterRng(2n, 0), { ...scale, returnMean: 0, returnDeviation: 1 });
    const seen = new Set<string>();
    for (const m of minibatches.feeds.keys()) {
      const rows = data(minibatches, m, 'logProbs').map((value) => -value);
      for (let c = 0; c < 2; c++) {
        // Row of the chunk's first step and agent: where the chunk is from.
        const first = rows[c] as number;
        const [step, copy] = [Math.floor(first / R), (first % R) / A];
        seen.add(`${step} ${copy}`);
        for (let l = 0; l < L; l++) {
          expect(data(minibatches, m, 'state')[(l * 2 + c) * 2]).toBe(100 + (step + l) * E + copy);
          for (let a = 0; a < A; a++) {
            const row = (l * A + a) * 2 + c;
            const i = (step + l) * R + copy * A + a;
            expect(rows[row]).toBe(i);
            expect(data(minibatches, m, 'obs').slice(row * 2, row * 2 + 2)).toEqual([i, 1]);
            expect(data(minibatches, m, 'oldValues')[row]).toBe(10 * i);
            expect(data(minibatches, m, 'keep')[row]).toBe(step + l === 3 && copy === 1 ? 0 : 1);
          }
        }
        for (let a = 0; a < A; a++) {
          const memory = (name: string) =>
            data(minibatches, m, name).slice((a * 2 + c) * H, (a * 2 + c) * H + H);
          const chunk = (step / L) * R * H;
          const [actor, critic] = [chunk + (copy * A + a) * H, chunk + (a * E + copy) * H];
          expect(memory('actorHidden')).toEqual([actor, actor + 1]);
          expect(memory('criticHidden')).toEqual([1000 + critic, 1001 + critic]);
        }
      }
    }
    expect([...seen].sort()).toEqual(['0 0', '0 1', '0 2', '2 0', '2 1', '2 2']);
  });

  test('tells old values in the units that the critic spoke, not in those of the returns', () => {
    const buffer = createTeam();
    const minibatches = new Minibatches(buffer, chunks);
    minibatches.deal(buffer, new CounterRng(2n, 0), { ...scale, valueMean: 20, valueDeviation: 4 });
    for (const m of minibatches.feeds.keys()) {
      const rows = data(minibatches, m, 'logProbs').map((value) => -value);
      expect(data(minibatches, m, 'oldValues')).toEqual(rows.map((i) => (10 * i - 20) / 4));
    }
  });

  test('agents that could not act have no weight in the policy and none in the norm of advantages', () => {
    const buffer = createTeam();
    const dead = 2 * R + 3;
    buffer.active[dead] = 0;
    buffer.hasInactive = true;
    buffer.advantages[dead] = 1e6;
    const minibatches = new Minibatches(buffer, chunks);
    minibatches.deal(buffer, new CounterRng(2n, 0), { ...scale, normAdv: true });
    for (const m of minibatches.feeds.keys()) {
      const rows = data(minibatches, m, 'logProbs').map((value) => -value);
      const weights = data(minibatches, m, 'policyWeights');
      const living = rows.filter((row) => row !== dead).length;
      expect(weights).toEqual(rows.map((row) => (row === dead ? 0 : Math.fround(1 / living))));
      expect(data(minibatches, m, 'weights')).toEqual(rows.map(() => 1 / 8));
      const advantages = data(minibatches, m, 'advantages').filter((_, i) => rows[i] !== dead);
      expect(advantages.reduce((sum, x) => sum + x, 0)).toBeCloseTo(0, 4);
      expect(advantages.reduce((sum, x) => sum + x * x, 0)).toBeCloseTo(living, 3);
    }
    buffer.hasInactive = false;
    minibatches.deal(buffer, new CounterRng(3n, 0), scale);
    for (const m of minibatches.feeds.keys()) {
      expect(data(minibatches, m, 'policyWeights')).toEqual(data(minibatches, m, 'weights'));
    }
  });
});
