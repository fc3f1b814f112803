import { describe, expect, test } from 'vitest';
import { computeGae, type GaeInput } from '../../../../src/engine/learn/data/gae.ts';

/** One copy, one agent, unless a case says otherwise. */
function run(input: Partial<GaeInput> & Pick<GaeInput, 'numSteps' | 'rewards' | 'values' | 'nextValues'>) {
  const size = input.rewards.length;
  const advantages = new Float32Array(size);
  const returns = new Float32Array(size);
  computeGae(
    {
      numEnvs: 1,
      numAgents: 1,
      terminated: new Uint8Array(size),
      truncated: new Uint8Array(size),
      gamma: 0.5,
      gaeLambda: 0.5,
      ...input,
    },
    advantages,
    returns,
  );
  return { advantages: Array.from(advantages), returns: Array.from(returns) };
}

const f32 = (...values: number[]): Float32Array => Float32Array.from(values);
const flags = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe('computeGae', () => {
  // t   r   V   V'   δ = r + V'/2 - V    A = δ + A'/4
  // 0   1   2   4    1                   1.125 ( = 1 + 0.5/4)
  // 1   2   4   6    1                   0.5   ( = 1 - 2/4)
  // 2   3   6   2   -2                  -2
  test('accumulates discounted errors backwards and bootstraps from nextValues at the end', () => {
    const { advantages, returns } = run({
      numSteps: 3,
      rewards: f32(1, 2, 3),
      values: f32(2, 4, 6),
      nextValues: f32(4, 6, 2),
    });
    expect(advantages).toEqual([1.125, 0.5, -2]);
    expect(returns).toEqual([3.125, 4.5, 4]);
  });

  // Step 1 terminates: its δ has no V', and nothing of step 2 reaches back.
  // t   r   V   V'      δ     A
  // 0   1   2   4       1     0.5 ( = 1 - 2/4)
  // 1   2   4   (9)    -2    -2
  // 2   3   6   2      -2    -2
  test('stops at terminated steps', () => {
    const { advantages } = run({
      numSteps: 3,
      rewards: f32(1, 2, 3),
      values: f32(2, 4, 6),
      nextValues: f32(4, 9, 2),
      terminated: flags(0, 1, 0),
    });
    expect(advantages).toEqual([0.5, -2, -2]);
  });

  // Step 1 is cut off with V(final observation) = 8: δ = 2 + 4 - 4 = 2, and nothing of step 2 reaches back.
  test('bootstraps from the final observation at truncated steps', () => {
    const { advantages, returns } = run({
      numSteps: 3,
      rewards: f32(1, 2, 3),
      values: f32(2, 4, 6),
      nextValues: f32(4, 8, 2),
      truncated: flags(0, 1, 0),
    });
    expect(advantages).toEqual([1.5, 2, -2]);
    expect(returns[1]).toBe(6);
  });

  test('takes a step that is both terminated and truncated as terminated', () => {
    const { advantages } = run({
      numSteps: 1,
      rewards: f32(2),
      values: f32(4),
      nextValues: f32(8),
      terminated: flags(1),
      truncated: flags(1),
    });
    expect(advantages).toEqual([-2]);
  });

  // λ = 1: A + V is the discounted sum of rewards plus the discounted last value.
  // 1 + 2/2 + 3/4 + 8/8 = 3.75; 2 + 3/2 + 8/4 = 5.5; 3 + 8/2 = 7
  test('equals Monte-Carlo returns minus values when gaeLambda is 1', () => {
    const { returns } = run({
      numSteps: 3,
      rewards: f32(1, 2, 3),
      values: f32(2, 4, 6),
      nextValues: f32(4, 6, 8),
      gaeLambda: 1,
    });
    expect(returns).toEqual([3.75, 5.5, 7]);
  });

  // Two copies of two agents, two steps; copy 1 terminates at step 0. Layout [T,E,A].
  test('keeps copies and agents apart', () => {
    const { advantages } = run({
      numSteps: 2,
      numEnvs: 2,
      numAgents: 2,
      rewards: f32(1, 2, 3, 4, 5, 6, 7, 8),
      values: new Float32Array(8),
      nextValues: new Float32Array(8),
      terminated: flags(0, 1, 0, 0),
      truncated: flags(0, 0, 0, 0),
    });
    expect(advantages).toEqual([2.25, 3.5, 3, 4, 5, 6, 7, 8]);
  });
});
