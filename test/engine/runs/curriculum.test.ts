import { describe, expect, test } from 'vitest';
import { findMove, firstStage, moveOn, stageIn, tellMove } from '../../../src/engine/runs/curriculum.ts';
import type { StagePlan } from '../../../src/engine/runs/loop-state.ts';
import { compiled, series } from '../../support/coach-world.ts';

const text = `environment staged extends simple_spread {
  stage near "Landmarks lie close" { set landmark.spawn = 0.3 m until coverage > 50% for 2 evaluations }
  stage half { set landmark.spawn = 0.6 m until coverage > 50% and collisions < 1 }
  stage whole {}
}
`;
const staged = compiled(text);
const plain = compiled('environment plain extends simple_spread {}\n');
const begun = firstStage(staged, 0) as StagePlan;

/** Evaluations at 1000, 2000, …, with the given coverage. */
const evaluated = (coverage: readonly number[], collisions = coverage.map(() => 0)) =>
  series({
    'eval/objective': coverage,
    'eval/metric/coverage': coverage,
    'eval/metric/collisions': collisions,
  });

describe('firstStage', () => {
  test('is the first of the text, and none where there are no stages', () => {
    expect(begun).toEqual({ name: 'near', index: 0, count: 3, sinceStep: 0 });
    expect(firstStage(plain, 0)).toBeNull();
  });
});

describe('findMove', () => {
  test('is due once until held in as many evaluations in a row as asked', () => {
    expect(findMove(staged, begun, evaluated([0.6]), 0)).toBeNull();
    expect(findMove(staged, begun, evaluated([0.6, 0.4, 0.7]), 0)).toBeNull();
    expect(findMove(staged, begun, evaluated([0.6, 0.7]), 3)).toEqual({
      from: 'near',
      to: 'half',
      round: 3,
      step: 2000,
      condition: 'coverage > 50%',
      metrics: { coverage: 0.7 },
    });
  });

  test('it has to hold up to the last evaluation', () => {
    expect(findMove(staged, begun, evaluated([0.6, 0.7, 0.2]), 0)).toBeNull();
  });

  test('evaluations of the stage before do not count', () => {
    const half = { name: 'half', index: 1, count: 3, sinceStep: 2000 };
    expect(findMove(staged, half, evaluated([0.9, 0.9]), 1)).toBeNull();
    expect(findMove(staged, half, evaluated([0.9, 0.9, 0.9]), 1)).toMatchObject({ to: 'whole', step: 3000 });
  });

  test('every metric of the condition is told, and one that is missing ends nothing', () => {
    const half = { name: 'half', index: 1, count: 3, sinceStep: 0 };
    expect(findMove(staged, half, evaluated([0.9], [0.5]), 1)?.metrics).toEqual({
      coverage: 0.9,
      collisions: 0.5,
    });
    expect(
      findMove(staged, half, series({ 'eval/objective': [1], 'eval/metric/coverage': [0.9] }), 1),
    ).toBeNull();
  });

  test('the last stage has no end, and no stages no move', () => {
    const whole = { name: 'whole', index: 2, count: 3, sinceStep: 0 };
    expect(findMove(staged, whole, evaluated([1, 1, 1]), 0)).toBeNull();
    expect(findMove(plain, null, evaluated([1]), 0)).toBeNull();
  });
});

describe('moveOn', () => {
  test('begins the next stage with the next round, and says so', () => {
    const move = findMove(staged, begun, evaluated([0.6, 0.7]), 3);
    if (move === null) throw new Error('no move');
    expect(moveOn(staged, move, 2500)).toEqual({ name: 'half', index: 1, count: 3, sinceStep: 2500 });
    expect(tellMove(move)).toBe(
      'stage near is over (coverage > 50%: coverage 0.700); round 5 begins stage half',
    );
  });
});

describe('stageIn', () => {
  test('a stage keeps its place by name, however the text changes around it', () => {
    const fewer = compiled(text.replace(/ {2}stage near.*\n/, ''));
    const half = { name: 'half', index: 1, count: 3, sinceStep: 2000 };
    expect(stageIn(fewer, half, 9000)).toEqual({ name: 'half', index: 0, count: 2, sinceStep: 2000 });
  });

  test('where the name is gone the stage in its place holds, begun now', () => {
    const renamed = compiled(text.replace('stage half', 'stage middle'));
    const half = { name: 'half', index: 1, count: 3, sinceStep: 2000 };
    expect(stageIn(renamed, half, 9000)).toEqual({ name: 'middle', index: 1, count: 3, sinceStep: 9000 });
    expect(stageIn(plain, half, 9000)).toBeNull();
    expect(stageIn(staged, null, 9000)).toEqual({ ...begun, sinceStep: 9000 });
  });
});
