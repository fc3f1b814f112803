import type { ProbeFigure, ProbeFigures } from '../../../shared/contract/coach-probe.ts';
import { mean, stratifiedInterval } from '../../../shared/std/statistics.ts';
import { createRandom } from '../seeded-random.ts';

/** Places that are looked at: a repair further down counts as not found. */
export const depth = 5;

/** What one answer scores; of a uniform choice, what it comes to on average. */
export interface Scores {
  readonly top1: number;
  readonly top3: number;
  readonly reciprocalRank: number;
}

/** Of a first repair in a place, from 1; null: none among the first places. */
export function scoresOf(rank: number | null): Scores {
  return {
    top1: rank === 1 ? 1 : 0,
    top3: rank !== null && rank <= 3 ? 1 : 0,
    reciprocalRank: rank === null ? 0 : 1 / rank,
  };
}

export function minus(a: Scores, b: Scores): Scores {
  return {
    top1: a.top1 - b.top1,
    top3: a.top3 - b.top3,
    reciprocalRank: a.reciprocalRank - b.reciprocalRank,
  };
}

/** What a uniformly random order of options comes to, exactly. Requires: at most as many repairs as options. */
export function chanceScores(options: number, repairs: number): Scores {
  // Chance that the first repair stands in a place: none before it, one in it.
  const isFirst: number[] = [];
  let noneBefore = 1;
  for (let place = 0; place < Math.min(depth, options); place++) {
    isFirst.push((noneBefore * repairs) / (options - place));
    noneBefore *= (options - place - repairs) / (options - place);
  }
  return {
    top1: isFirst[0] ?? 0,
    top3: isFirst.slice(0, 3).reduce((sum, chance) => sum + chance, 0),
    reciprocalRank: isFirst.reduce((sum, chance, place) => sum + chance / (place + 1), 0),
  };
}

/** Scores of one defect with the scenario that it is of. */
export interface DefectScores {
  readonly scenario: string;
  readonly scores: Scores;
}

/** In the order in which scenarios come up. */
export function byScenario<T extends { readonly scenario: string }>(all: readonly T[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const each of all) found.set(each.scenario, [...(found.get(each.scenario) ?? []), each]);
  return found;
}

/** Means over defects; intervals by drawing defects anew within each scenario. Seeds: a fixed one. */
export function summarize(scored: readonly DefectScores[]): ProbeFigures {
  const strata = [...byScenario(scored).values()];
  const figure = (key: keyof Scores): ProbeFigure => {
    const values = strata.map((defects) => defects.map(({ scores }) => scores[key]));
    const all = (groups: readonly (readonly number[])[]): number => mean(groups.flat());
    // The one defect of a scenario cannot be drawn anew: how far others of it would differ is not known.
    const isWide = values.every(({ length }) => length > 1);
    const interval = isWide
      ? stratifiedInterval(values, all, createRandom('probe', key))
      : { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
    return { value: all(values), ...bounded(interval) };
  };
  return { top1: figure('top1'), top3: figure('top3'), reciprocalRank: figure('reciprocalRank') };
}

/** Differences of shares lie between −1 and 1, and so does every end of an interval. */
function bounded({ low, high }: { low: number; high: number }): { low: number; high: number } {
  return { low: Math.max(-1, low), high: Math.min(1, high) };
}

/** For each of n, another one: the same every time. Requires: n ≥ 2. */
export function derange(n: number): number[] {
  const shift = Math.max(1, Math.floor(n / 2));
  return Array.from({ length: n }, (_, i) => (i + shift) % n);
}
