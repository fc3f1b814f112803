import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { testHost } from '../../../support/edl-manifests.ts';
import { environmentOf } from '../../../support/edl-text.ts';

function codesOf(value: string): string[] {
  const text = environmentOf(`rule r { for a in agent when time < 3 s then a.max_speed += ${value} }`);
  const { diagnostics } = compile(text, testHost());
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
}

describe('a zero without a unit', () => {
  test.each([
    'clamp(0, 2 m, 3 m)',
    'clamp(2 m, 0, 3 m)',
    'clamp(0, 0, 3 m)',
    'clamp(0, 0 m, 3)',
    'min(0, 2 m)',
    'max(3 m, 0)',
    'abs(clamp(0, 2 m, 3 m))',
    'min(clamp(0, 1 m, 2 m), 3 m)',
    'max(0, 0) + 2 m',
    '0 + 2 m',
    '2 m - 0',
    '-(0 - 2 m)',
    '(sum over b in agent of clamp(0, 1 m, 2 m))',
    '(max over b in agent of max(0, distance(a, b)))',
  ])('takes on the unit of what it stands beside: %s is no speed', (value) => {
    expect(codesOf(value)).toEqual([expect.stringMatching(/^EDL30[23]$/)]);
  });

  test.each([
    '0',
    'clamp(0, 2, 3)',
    'clamp(0, 2 m/s, 3 m/s)',
    'clamp(a.speed, 0, 3 m/s)',
    'min(0, a.speed)',
    'max(0, 1)',
    '0 + a.speed',
    '(sum over b in agent of max(0, b.speed))',
    '(sum over b in agent of 0)',
  ])('fits where the unit is right, or none is written: %s', (value) => {
    expect(codesOf(value)).toEqual([]);
  });
});
