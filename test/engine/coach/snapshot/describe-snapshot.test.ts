import { describe, expect, test } from 'vitest';
import { describeSnapshot } from '../../../../src/engine/coach/snapshot/describe-snapshot.ts';
import { type Snapshot, snapshotSchema } from '../../../../src/engine/coach/snapshot/snapshot-schema.ts';
import { snapshotOf } from '../../../support/experience.ts';

const base = snapshotOf();

const past = (target: string, changes: Partial<Snapshot['past'][number]> = {}): Snapshot['past'][number] => ({
  ...{ round: 0, candidate: null, provider: 'rules', outcome: 'accepted', reasons: [], isInForce: true },
  ...{ changes: [{ op: 'remove', target }], measured: { meanDifference: 3, low: 2, high: 4, verdict: null } },
  ...changes,
});

const failed = { kind: 'dull' as const, round: 0, candidate: null, provider: 'rules', why: 'it never fires' };

describe('describeSnapshot', () => {
  test('what works is what is in force and was better by its whole interval', () => {
    const doubtful = { meanDifference: 1, low: -1, high: 3, verdict: null };
    const { works } = describeSnapshot({
      ...base,
      past: [
        past('reward a'),
        past('reward b', { isInForce: false }),
        past('reward c', { measured: doubtful }),
        past('reward d', { measured: null }),
      ],
    });
    expect(works).toBe('- round 1, rules: remove reward a: accepted, measured 3 [2, 4]');
  });

  test('what was screened out has not worked, whatever side its pairs lie on', () => {
    const measured = { meanDifference: 3, low: 2, high: 4 };
    const told = (verdict: 'better' | 'notBetter') =>
      describeSnapshot({ ...base, past: [past('reward a', { measured: { ...measured, verdict } })] }).works;
    expect(told('notBetter')).toBe('');
    expect(told('better')).toContain('remove reward a');
  });

  test('where less is better, a gain is below zero', () => {
    const lower = { ...base, objective: { ...base.objective, better: 'lower' as const } };
    expect(describeSnapshot({ ...lower, past: [past('reward a')] }).works).toBe('');
    const gain = { meanDifference: -3, low: -4, high: -2, verdict: null };
    expect(describeSnapshot({ ...lower, past: [past('reward a', { measured: gain })] }).works).toContain(
      'measured -3 [-4, -2]',
    );
  });

  test('every earlier change is told once: as working, failed or undecided', () => {
    const failure = { ...failed, why: 'it\n never fires' };
    const told = describeSnapshot({
      ...base,
      past: [
        past('reward a'),
        past('reward b', { outcome: 'invalid', isInForce: false }),
        past('reward c', { isInForce: false }),
      ],
      failures: [{ ...failure, changes: [{ op: 'remove', target: 'reward b' }] }],
    });
    expect(told.failures).toBe('- dull, round 1: remove reward b: it never fires');
    expect(told.undecided.split('\n')).toEqual([expect.stringContaining('remove reward c')]);
    expect(told.past.split('\n')).toHaveLength(3);
  });

  test('a failed first attempt says nothing of its repair on the same target', () => {
    const changes = [{ op: 'remove' as const, target: 'reward b' }];
    const told = (candidates: readonly [number | null, number | null]) =>
      describeSnapshot({
        ...base,
        past: [
          past('reward b', {
            candidate: candidates[0],
            outcome: 'invalid',
            isInForce: false,
            measured: null,
          }),
          past('reward b', { candidate: candidates[1], measured: null }),
        ],
        failures: [{ ...failed, candidate: candidates[0], changes }],
      }).undecided;
    const repair = '- round 1, rules: remove reward b: accepted';
    expect(told([0, 2])).toBe(repair);
    // As older records tell it.
    expect(told([null, null])).toBe(repair);
  });

  test('the most frequent actions of a policy are told, the others as one', () => {
    const actions = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((action, i) => ({
      action,
      share: i < 2 ? 0.25 : 0.1,
    }));
    const policies = [{ group: 'agent', statistics: { entropy: 1.234 }, actions }];
    expect(describeSnapshot({ ...base, policies }).policies).toBe(
      '- agent: entropy 1.23, chooses a 25 %, b 25 %, c 10 %, d 10 %, e 10 %, others 20 %',
    );
  });

  test('a snapshot of an earlier version is read and told, without what it did not hold', () => {
    const { failures: _f, learnability: _l, ...older } = JSON.parse(JSON.stringify(base));
    const read = snapshotSchema.parse({
      ...older,
      policies: older.policies.map(({ group, statistics }: Snapshot['policies'][number]) => ({
        group,
        statistics,
      })),
    });
    expect(read).toMatchObject({ failures: [], learnability: null });
    expect(describeSnapshot(read)).toMatchObject({ failures: '', works: '', undecided: '' });
  });
});
