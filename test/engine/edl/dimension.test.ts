import { describe, expect, test } from 'vitest';
import {
  convert,
  describeDimension,
  measureOf,
  multiplyMeasures,
  spellingFor,
  unitFromText,
} from '../../../src/engine/edl/dimension.ts';

const step = 0.1;
const steps = measureOf('steps', step);
const seconds = measureOf('s', step);

describe('convert', () => {
  test('whole steps come out whole, though 0.3 / 0.1 is not 3', () => {
    expect(0.3 / 0.1).not.toBe(3);
    expect([0.1, 0.3, 0.6, 0.7, 2.5].map((value) => convert(value, seconds, steps))).toEqual([
      1, 3, 6, 7, 25,
    ]);
  });

  test('what is no whole number stays what it is', () => {
    expect(convert(0.25, seconds, steps)).toBe(2.5);
    expect(convert(4, steps, seconds)).toBeCloseTo(0.4, 15);
  });
});

describe('multiplyMeasures', () => {
  test('a speed times a time is a length', () => {
    const product = multiplyMeasures(measureOf('m/s', step), seconds, 1);
    expect(product).toEqual(measureOf('m', step));
    expect(describeDimension(product.dimension)).toBe('a length (m)');
  });

  test('a length over a length is a plain number', () => {
    const ratio = multiplyMeasures(measureOf('m', step), measureOf('m', step), -1);
    expect(describeDimension(ratio.dimension)).toBe('a plain number');
  });

  test('what no unit names is described by its powers', () => {
    const area = multiplyMeasures(measureOf('m', step), measureOf('m', step), 1);
    expect(describeDimension(area.dimension)).toBe('a quantity in m^2');
    expect(spellingFor(area, step)).toBeUndefined();
  });
});

describe('spellingFor', () => {
  test('tells steps from seconds by their scale', () => {
    expect([spellingFor(steps, step), spellingFor(seconds, step)]).toEqual(['steps', 's']);
  });
});

describe('unitFromText', () => {
  test.each([
    ['step', 'steps'],
    ['%', 'percent'],
    ['m/s^2', 'm/s^2'],
    ['kg', undefined],
  ])('%s is %s', (text, unit) => {
    expect(unitFromText(text)).toBe(unit);
  });
});
