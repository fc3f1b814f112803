import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExperienceEntry } from '../../../../src/engine/coach/memory/experience.ts';
import {
  isComparable,
  priorVariance,
  rememberedChanges,
  shrunkenGain,
} from '../../../../src/engine/coach/memory/recall.ts';
import { experienceEntry, removal, rescaled } from '../../../support/experience.ts';

type Measured = NonNullable<ExperienceEntry['measured']>;

/** As a trial concludes: better where the whole interval is on the better side, here mostly the upper one. */
const measured = (
  meanDifference: number,
  half: number,
  numPairs = 4,
  verdict: Measured['verdict'] = meanDifference > half ? 'better' : 'notBetter',
): { measured: Measured } => ({
  measured: { meanDifference, low: meanDifference - half, high: meanDifference + half, numPairs, verdict },
});

const near = (entry: ExperienceEntry, similarity = 1) => ({ entry, similarity });

describe('shrunkenGain', () => {
  test('never exceeds what was measured, keeps its sign, and believes narrow intervals more', () => {
    const figure = fc.double({ min: -100, max: 100, noNaN: true });
    const width = fc.double({ min: 1e-3, max: 50, noNaN: true });
    fc.assert(
      fc.property(figure, width, width, width, (gain, a, b, spread) => {
        const [narrow, wide] = [Math.min(a, b), Math.max(a, b)];
        const of = (half: number) => shrunkenGain(experienceEntry(measured(gain, half)), spread);
        expect(Math.abs(of(narrow))).toBeLessThanOrEqual(Math.abs(gain));
        expect(Math.abs(of(wide))).toBeLessThanOrEqual(Math.abs(of(narrow)));
        expect(of(wide) * gain).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('of a single pair is nothing', () => {
    expect(shrunkenGain(experienceEntry(measured(5, 0, 1)), 10)).toBe(0);
    expect(priorVariance([experienceEntry(measured(5, 0, 1))])).toBe(0);
  });
});

describe('rememberedChanges', () => {
  test('offers what helped in a situation alike enough, the best first', () => {
    const small = experienceEntry({ changes: [rescaled(-0.1)], ...measured(1, 0.5) });
    const large = experienceEntry(measured(4, 0.5));
    const offered = rememberedChanges([near(small), near(large, 0.95)], 0.9);
    expect(offered.map(({ changes }) => changes[0]?.op)).toEqual(['remove', 'modify']);
    expect(offered[0]).toMatchObject({ changes: [removal], similarity: 0.95 });
    expect(offered[0]?.gain).toBeGreaterThan(offered[1]?.gain ?? 0);
    expect(rememberedChanges([near(small, 0.85), near(large, 0.85)], 0.9)).toEqual([]);
  });

  test('counts losses of the same change, and offers nothing that lost as much', () => {
    const won = experienceEntry(measured(2, 0.5));
    const lost = experienceEntry(measured(-3, 0.5));
    const [alone] = rememberedChanges([near(won)], 0.9);
    const [contested] = rememberedChanges([near(won), near(lost, 0.3)], 0.9);
    expect(contested?.gain).toBeLessThan(alone?.gain ?? 0);
    expect(contested?.neighbours).toHaveLength(2);
    expect(rememberedChanges([near(won), near(lost, 0.99)], 0.9)).toEqual([]);
  });

  test('leaves out what was not shown to help: an interval with zero in it, a rollback, no trial', () => {
    const others: Partial<ExperienceEntry>[] = [measured(3, 3), { isRolledBack: true }, { measured: null }];
    for (const changes of others) expect(rememberedChanges([near(experienceEntry(changes))], 0)).toEqual([]);
  });

  test('offers nothing that a person took in another text, and still counts what it measured', () => {
    const edited = experienceEntry({ label: 'edited', ...measured(4, 0.5) });
    expect(rememberedChanges([near(edited)], 0.9)).toEqual([]);
    const won = experienceEntry(measured(2, 0.5));
    expect(rememberedChanges([near(won), near(edited)], 0.9)[0]?.neighbours).toHaveLength(2);
  });

  test('offers nothing that training broke down in where things stood alike', () => {
    const won = experienceEntry(measured(2, 0.5));
    const broke = experienceEntry({ measured: null, brokeDown: true });
    expect(rememberedChanges([near(won), near(broke, 0.95)], 0.9)).toEqual([]);
    expect(rememberedChanges([near(won), near(broke, 0.5)], 0.9)).toHaveLength(1);
  });

  test('knows which way is better', () => {
    const objective = { ...experienceEntry().objective, metric: 'collisions', better: 'lower' } as const;
    const fell = experienceEntry({ objective, ...measured(-2, 0.5, 4, 'better') });
    const rose = experienceEntry({ objective, ...measured(2, 0.5, 4, 'notBetter') });
    expect(rememberedChanges([near(fell)], 0.9)[0]?.gain).toBeGreaterThan(0);
    expect(rememberedChanges([near(rose)], 0.9)).toEqual([]);
  });

  test('offers nothing that was screened out, whatever its pairs say', () => {
    const screened = experienceEntry(measured(2, 0.5, 2, 'notBetter'));
    expect(rememberedChanges([near(screened)], 0.9)).toEqual([]);
  });

  test('takes a change to be another where it replaced something else, but not for its layout or prose', () => {
    const same = { ...removal, description: 'Other words.', target: 'reward  crowding' };
    const entries = [
      experienceEntry(measured(2, 0.5)),
      experienceEntry({ changes: [same], replaced: experienceEntry().replaced, ...measured(2.5, 0.5) }),
      experienceEntry({ replaced: ['reward crowding { for a in agent give -9 to a }'], ...measured(3, 0.5) }),
    ];
    const offered = rememberedChanges(
      entries.map((entry) => near(entry)),
      0.9,
    );
    expect(offered.map(({ neighbours }) => neighbours.length).toSorted()).toEqual([1, 2]);
  });
});

describe('isComparable', () => {
  test('asks for one scenario of one version, and one objective', () => {
    const entry = experienceEntry();
    const { scenario, objective } = entry;
    expect(isComparable(entry, { scenario, objective })).toBe(true);
    expect(isComparable(entry, { scenario: { ...scenario, version: scenario.version + 1 }, objective })).toBe(
      false,
    );
    expect(isComparable(entry, { scenario, objective: { ...objective, group: 'rival' } })).toBe(false);
    expect(isComparable(entry, { scenario, objective: { ...objective, better: 'lower' } })).toBe(false);
  });

  test('asks for one environment with the same players to measure it in; who does not say is like nobody', () => {
    const entry = experienceEntry();
    const { scenario, objective } = entry;
    expect(isComparable(entry, { scenario, objective: { ...objective, measuredIn: 'elsewhere' } })).toBe(
      false,
    );
    const silent = { scenario, objective: { ...objective, measuredIn: null } };
    expect(isComparable(experienceEntry(silent), silent)).toBe(false);
  });
});
