import type { Unit } from '../../shared/rl/manifest.ts';
import { type UnitSpelling, unitSpelling } from './types.ts';

/** Exponents of length, time and angle: what may be added to and compared with what. */
export interface Dimension {
  readonly length: number;
  readonly time: number;
  readonly angle: number;
}

/** A unit: its dimension, and how many base units (m, s, deg) one of it is. */
export interface Measure {
  readonly dimension: Dimension;
  readonly scale: number;
}

const dimension = (length: number, time: number, angle = 0): Dimension => ({ length, time, angle });

export const plain: Measure = { dimension: dimension(0, 0), scale: 1 };

/**
 * The measure of a manifest's unit. Values of unit `percent` are fractions (50 % is 0.5), as `%` reads in the text;
 * a step lasts `stepSeconds`.
 */
export function measureOf(unit: Unit, stepSeconds: number): Measure {
  switch (unit) {
    case 'none':
    case 'percent':
      return plain;
    case 'm':
      return { dimension: dimension(1, 0), scale: 1 };
    case 's':
      return { dimension: dimension(0, 1), scale: 1 };
    case 'steps':
      return { dimension: dimension(0, 1), scale: stepSeconds };
    case 'm/s':
      return { dimension: dimension(1, -1), scale: 1 };
    case 'm/s^2':
      return { dimension: dimension(1, -2), scale: 1 };
    case 'deg':
      return { dimension: dimension(0, 0, 1), scale: 1 };
  }
}

const unitsBySpelling = new Map<string, Unit>(
  (Object.entries(unitSpelling) as [Unit, UnitSpelling][])
    .filter(([, spelling]) => spelling !== '')
    .map(([unit, spelling]): [string, Unit] => [spelling, unit])
    .concat([['step', 'steps']]),
);

/** Every spelling a unit may have in a text. */
export const unitSpellings: readonly string[] = [...unitsBySpelling.keys()];

export function unitFromText(spelling: string): Unit | undefined {
  return unitsBySpelling.get(spelling);
}

export function isSameDimension(a: Dimension, b: Dimension): boolean {
  return a.length === b.length && a.time === b.time && a.angle === b.angle;
}

export function isPlain(d: Dimension): boolean {
  return d.length === 0 && d.time === 0 && d.angle === 0;
}

export function multiplyMeasures(a: Measure, b: Measure, sign: 1 | -1): Measure {
  return {
    dimension: {
      length: a.dimension.length + sign * b.dimension.length,
      time: a.dimension.time + sign * b.dimension.time,
      angle: a.dimension.angle + sign * b.dimension.angle,
    },
    scale: sign === 1 ? a.scale * b.scale : a.scale / b.scale,
  };
}

/** `value` in `from` expressed in `to`; whole numbers of the target unit come out whole (0.3 s is 3 steps of 0.1 s). */
export function convert(value: number, from: Measure, to: Measure): number {
  if (from.scale === to.scale) return value;
  const converted = (value * from.scale) / to.scale;
  const whole = Math.round(converted);
  return Math.abs(converted - whole) <= 1e-9 * Math.abs(whole) ? whole : converted;
}

/** A dimension in words, for messages. */
export function describeDimension(d: Dimension): string {
  if (isPlain(d)) return 'a plain number';
  if (isSameDimension(d, dimension(1, 0))) return 'a length (m)';
  if (isSameDimension(d, dimension(0, 1))) return 'a time (s, steps)';
  if (isSameDimension(d, dimension(1, -1))) return 'a speed (m/s)';
  if (isSameDimension(d, dimension(1, -2))) return 'an acceleration (m/s^2)';
  if (isSameDimension(d, dimension(0, 0, 1))) return 'an angle (deg)';
  const parts = [power('m', d.length), power('s', d.time), power('deg', d.angle)].filter(
    (part) => part !== '',
  );
  return `a quantity in ${parts.join(' ')}`;
}

function power(unit: string, exponent: number): string {
  if (exponent === 0) return '';
  return exponent === 1 ? unit : `${unit}^${exponent}`;
}

/** The simplest spelling of a dimension's unit, for suggestions; undefined where no unit of the text has it. */
export function spellingFor(measure: Measure, stepSeconds: number): string | undefined {
  const units: Unit[] = ['m', 'steps', 's', 'm/s', 'm/s^2', 'deg'];
  const fits = units.filter((unit) =>
    isSameDimension(measureOf(unit, stepSeconds).dimension, measure.dimension),
  );
  const exact = fits.find((unit) => measureOf(unit, stepSeconds).scale === measure.scale);
  const unit = exact ?? fits[0];
  return unit === undefined ? undefined : unitSpelling[unit];
}
