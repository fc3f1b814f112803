import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countSolved,
  maxEvaluations,
  maxStarts,
  SolvedStarts,
} from '../../../src/engine/train/solved-starts.ts';

const outcomes = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 });

describe('SolvedStarts', () => {
  test('counts what a plain count of the outcomes counts, over a checkpoint too', () => {
    fc.assert(
      fc.property(outcomes, fc.integer({ min: 1, max: maxEvaluations }), (first, times) => {
        let solved = new SolvedStarts();
        const plain = new Array<number>(first.length).fill(0);
        for (let n = 0; n < times; n++) {
          const rotated = first.map((_, i) => first[(i + n) % first.length] === true);
          solved.add(Float64Array.from(rotated, Number));
          solved = new SolvedStarts(JSON.parse(JSON.stringify(solved.state)));
          for (const [i, isSolved] of rotated.entries()) plain[i] = (plain[i] ?? 0) + Number(isSolved);
        }
        expect(countSolved(solved.state)).toEqual(plain);
      }),
    );
  });

  test('only the last evaluations stay', () => {
    const solved = new SolvedStarts();
    solved.add(Float64Array.of(1, 0));
    for (let n = 0; n < maxEvaluations; n++) solved.add(Float64Array.of(0, 1));
    expect(countSolved(solved.state)).toEqual([0, maxEvaluations]);
  });

  test('is bounded, whatever the number of episodes', () => {
    const solved = new SolvedStarts();
    for (let n = 0; n < 20; n++) solved.add(new Float64Array(5000).fill(1));
    expect(solved.state.starts).toBe(maxStarts);
    expect(JSON.stringify(solved.state).length).toBeLessThan(2000);
  });

  test('an episode without a value is not solved', () => {
    const solved = new SolvedStarts();
    solved.add(Float64Array.of(Number.NaN, 1));
    expect(countSolved(solved.state)).toEqual([0, 1]);
  });

  test('another number of starts begins anew', () => {
    const solved = new SolvedStarts();
    solved.add(Float64Array.of(1, 1));
    solved.add(Float64Array.of(0, 1, 0));
    expect(countSolved(solved.state)).toEqual([0, 1, 0]);
  });
});
