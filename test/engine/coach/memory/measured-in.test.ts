import { describe, expect, test } from 'vitest';
import { measuredIn } from '../../../../src/engine/coach/memory/measured-in.ts';

const of = (identity: string, opponents: Record<string, string> = {}) =>
  measuredIn({ seed: 1, objective: { metric: 'success', identity, opponents } });

describe('measuredIn', () => {
  test('tells environments and players apart, whatever their order', () => {
    expect(of('a')).toBe(of('a'));
    expect(of('a')).not.toBe(of('b'));
    expect(of('a')).not.toBe(of('a', { prey: 'still' }));
    expect(of('a', { prey: 'still' })).not.toBe(of('a', { prey: 'flee' }));
    expect(of('a', { prey: 'still', other: 'x' })).toBe(of('a', { other: 'x', prey: 'still' }));
  });

  test('of a configuration that does not say is not known', () => {
    expect([measuredIn(null), measuredIn({ objective: { metric: 'success' } })]).toEqual([null, null]);
  });
});
