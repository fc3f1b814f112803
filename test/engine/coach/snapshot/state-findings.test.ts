import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../../src/engine/coach/snapshot/snapshot-schema.ts';
import { stateFindings } from '../../../../src/engine/coach/snapshot/state-findings.ts';
import { snapshotOf } from '../../../support/experience.ts';

const base = snapshotOf();
const plain: Snapshot = { ...base, components: [], metrics: [], past: [], learnability: null };

const checkpoints = (means: readonly number[]) =>
  means.map((mean, step) => ({ step, min: mean, mean, max: mean }));
const component = (name: string, means: readonly number[], share: number) => ({
  ...{ name, kind: 'shaping' as const, doc: '', share, checkpoints: checkpoints(means) },
});
const success = (means: readonly number[]): Snapshot['metrics'] => [
  { name: 'success', unit: 'none', better: 'higher', doc: '', checkpoints: checkpoints(means) },
];

describe('stateFindings', () => {
  test('success next to never, by the last checkpoint', () => {
    expect(stateFindings({ ...plain, metrics: success([0.5, 0.01]) })).toEqual([
      'success is 0.01: next to no episode succeeds',
    ]);
    expect(stateFindings({ ...plain, metrics: success([0, 0.02]) })).toEqual([]);
  });

  test('a component that stays as it is, from three checkpoints on; one that is nothing says so', () => {
    const components = [
      component('near', [2, 2.001, 2], 0.2),
      component('none', [0, 0, 0], 0),
      component('moves', [2, 2.1, 2], 0.2),
      component('young', [1, 1], 0.2),
    ];
    expect(stateFindings({ ...plain, components })).toEqual([
      'near stays at 2 over 3 checkpoints',
      'none is 0 in all 3 checkpoints',
    ]);
  });

  test('a component that outweighs all others, where there are others', () => {
    const big = component('big', [1, 3], 0.83);
    expect(stateFindings({ ...plain, components: [big, component('small', [1, 0.5], 0.17)] })).toEqual([
      'big (shaping) is 83 % of what the agents are paid',
    ]);
    expect(stateFindings({ ...plain, components: [{ ...big, share: 1 }] })).toEqual([]);
  });

  test('changes that were proposed more than once', () => {
    const past = [0, 1, 2].map((round) => ({
      ...{
        round,
        candidate: 0,
        provider: 'llama',
        outcome: 'rejected' as const,
        reasons: [],
        measured: null,
      },
      ...{
        isInForce: false,
        changes: [{ op: 'remove' as const, target: round < 2 ? 'reward a' : 'reward b' }],
      },
    }));
    expect(stateFindings({ ...plain, past })).toEqual(['"remove reward a" was proposed 2 times']);
  });

  test('how many starts are solved sometimes', () => {
    const learnability = {
      episodes: 8,
      evaluations: 4,
      always: 1,
      sometimes: 2,
      never: 5,
      meanVariance: 0.05,
    };
    expect(stateFindings({ ...plain, learnability })).toEqual([
      'of 8 fixed starts 2 were sometimes solved in the last 4 evaluations, 1 always, 5 never',
    ]);
  });

  test('whatever the figures are, a component is called flat only where its means lie within a hundredth', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 3, maxLength: 10 }),
        (means) => {
          const range = Math.max(...means) - Math.min(...means);
          const isFlat = range <= 0.01 * Math.max(...means.map(Math.abs));
          const found = stateFindings({ ...plain, components: [component('c', means, 1)] });
          expect(found.length).toBe(isFlat ? 1 : 0);
        },
      ),
    );
  });
});
