import { describe, expect, test } from 'vitest';
import { issuesOf, similarityOf, situationOf } from '../../../../src/engine/coach/memory/situation.ts';
import type { Snapshot } from '../../../../src/engine/coach/snapshot/snapshot-schema.ts';
import { series } from '../../../support/coach-world.ts';
import { snapshotOf } from '../../../support/experience.ts';

const snapshot = snapshotOf();
const here = situationOf(snapshot);
const to = (changes: Partial<Snapshot>) => similarityOf(here, situationOf({ ...snapshot, ...changes }));
const withObjective = (current: number) => to({ objective: { ...snapshot.objective, current } });

describe('situationOf', () => {
  test('is the same for the same figures, whatever study and run they are of', () => {
    expect(situationOf(snapshotOf({ studyId: 's9', runId: 'r9', arm: 'other', seed: 99 }))).toEqual(here);
  });

  test('holds finite weights only, also of a run without any figure', () => {
    const empty = situationOf(snapshotOf({ series: series({}) }));
    for (const weight of [...Object.values(here), ...Object.values(empty)])
      expect(weight).toBeGreaterThanOrEqual(0);
    expect(similarityOf(empty, empty)).toBeCloseTo(1, 6);
  });

  test('survives figures that are no numbers, and gigantic ones', () => {
    for (const current of [Number.NaN, Number.POSITIVE_INFINITY, 1e308, -1e-308, 0]) {
      const similarity = withObjective(current);
      expect(similarity).toBeGreaterThan(0.7);
      expect(similarity).toBeLessThanOrEqual(1);
    }
  });
});

describe('issuesOf', () => {
  test('names what fired, with whom it is about where it is about somebody', () => {
    const [issue] = snapshotOf().issues;
    if (issue === undefined) throw new Error('the snapshot has no issue');
    const firing = { ...issue, isFiring: true, evidence: { coverage: 0.1 } };
    const issues = [
      { ...firing, name: 'uncovered', subject: null },
      { ...firing, name: 'lone_wolf', subject: 'agent_1' },
      { ...firing, name: 'calm', subject: null, isFiring: false },
    ];
    expect(issuesOf(situationOf({ ...snapshotOf(), issues }))).toEqual(['uncovered', 'lone_wolf of agent_1']);
    expect(issuesOf(situationOf({ ...snapshotOf(), issues: [] }))).toEqual([]);
  });
});

describe('similarityOf', () => {
  test('is one to itself, and the same both ways', () => {
    expect(similarityOf(here, here)).toBeCloseTo(1, 6);
    const other = situationOf(snapshotOf({ series: series({ 'eval/objective': [-3, 4] }) }));
    expect(similarityOf(here, other)).toBe(similarityOf(other, here));
  });

  test('falls the further a figure is away, without a jump where levels meet', () => {
    // 32 is a level, from which figures on both sides are alike.
    const figures = [1, 1.01, 1.1, 1.5, 2, 4].map((factor) =>
      withObjective(snapshot.objective.current * factor),
    );
    expect(figures).toEqual(figures.toSorted((a, b) => b - a));
    const at = (a: number, b: number) =>
      similarityOf(
        situationOf({ ...snapshot, objective: { ...snapshot.objective, current: a } }),
        situationOf({ ...snapshot, objective: { ...snapshot.objective, current: b } }),
      );
    expect(at(-31.9, -32.1)).toBeGreaterThan(0.999);
    expect(at(-32, -128)).toBeLessThan(at(-32, -48));
  });

  test('an issue that ended, a reward that is gone and a defect of another sign are other situations', () => {
    const ended = to({ issues: [] });
    const gone = to({ declarations: snapshot.declarations.filter(({ kind }) => kind !== 'reward') });
    expect(ended).toBeLessThan(0.9);
    expect(gone).toBeLessThan(0.95);
    expect(to({ issues: [], declarations: [], components: [] })).toBeLessThan(Math.min(ended, gone));
  });
});
