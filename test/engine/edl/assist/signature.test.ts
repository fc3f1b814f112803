import { describe, expect, test } from 'vitest';
import { signatureAt } from '../../../../src/engine/edl/assist/index.ts';
import { atCursor } from '../../../support/edl-cursor.ts';

function signature(clause: string) {
  const { scene, position } = atCursor(
    `environment e extends arena { rule r { for a in agent when ${clause}`,
  );
  return signatureAt(scene, position);
}

describe('signatureAt', () => {
  test('tells which argument is being written', () => {
    expect(signature('clamp(|')).toMatchObject({ signature: 'clamp(x, low, high)', activeParameter: 0 });
    expect(signature('clamp(a.x, 3 m, |')).toMatchObject({
      parameters: ['x', 'low', 'high'],
      activeParameter: 2,
    });
  });

  test('is of the innermost call', () => {
    expect(signature('distance(a, nearest(|')).toMatchObject({ signature: 'nearest(set)' });
    expect(signature('distance(nearest(zone), |')).toMatchObject({
      signature: 'distance(a, b)',
      activeParameter: 1,
    });
  });

  test('ends with the bracket', () => {
    expect(signature('distance(a, goal) |')).toBeNull();
    expect(signature('|')).toBeNull();
  });
});
