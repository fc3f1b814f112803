import { describe, expect, test } from 'vitest';
import { weightOf, writeProposal } from '../../../bench/evidence/weight-writer.ts';
import { parseProposal } from '../../../src/engine/coach/validate/parse-proposal.ts';

describe('the stand-in that writes weights', () => {
  test('writes a whole proposal, the same one for the same seed', () => {
    const { changes } = parseProposal(writeProposal(7));
    expect(changes.map(({ op, target }) => `${op} ${target}`)).toEqual([
      'modify reward approach',
      'modify reward apart',
    ]);
    expect(changes[0]?.edl).toContain(`give -${weightOf(7, 'approach')} *`);
    expect(writeProposal(7)).toBe(writeProposal(7));
    expect(writeProposal(8)).not.toBe(writeProposal(7));
  });

  test('weights scatter around 2 by a factor of e^1.5', () => {
    const logs = Array.from({ length: 2000 }, (_, seed) => Math.log(weightOf(seed, 'apart')));
    const mean = logs.reduce((sum, each) => sum + each, 0) / logs.length;
    const deviation = Math.sqrt(logs.reduce((sum, each) => sum + (each - mean) ** 2, 0) / logs.length);
    expect(Math.abs(mean - Math.log(2))).toBeLessThan(0.12);
    expect(Math.abs(deviation - 1.5)).toBeLessThan(0.1);
  });
});
