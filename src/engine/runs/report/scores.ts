import type { ReportView } from '../../../shared/contract/report.ts';
import { CounterRng } from '../../../shared/std/rng.ts';
import { bootstrapInterval, mean } from '../../../shared/std/statistics.ts';
import type { StoreReader } from '../../store/index.ts';
import { heldOutKey } from '../../train/held-out.ts';
import { comparePaired, interquartileMean, resampleSeed, summarizeScores } from '../statistics.ts';
import { bySeed, pointsOf, type ReportedArm, type ReportedStudy, valueAt } from './study-record.ts';

type Scores = ReadonlyMap<number, number>;

interface Scored {
  readonly arm: ReportedArm;
  readonly scores: Scores;
}

/** Figures by arm, each paired by seed with the first. */
function compareArms(
  scored: readonly Scored[],
  better: 'higher' | 'lower',
): ReportView['heldOut']['environments'][0]['arms'] {
  const [baseline] = scored;
  return scored.map(({ arm, scores }) => ({
    arm: arm.name,
    figure: summarizeScores(scores),
    vsBaseline:
      baseline === undefined || arm === baseline.arm ? null : comparePaired(scores, baseline.scores, better),
  }));
}

/** Final scores on the objective, against the first arm and against random valid changes. */
export function reportFinal(
  { arms, better }: ReportedStudy,
  random: ReportedArm | null,
): ReportView['final'] {
  const scored = arms.map((arm) => ({ arm, scores: bySeed(arm, ({ objective }) => objective) }));
  const ofRandom = scored.find(({ arm }) => arm === random)?.scores;
  return compareArms(scored, better).map((row, index) => {
    const own = scored[index];
    const isCompared = own !== undefined && ofRandom !== undefined && own.arm !== random;
    return { ...row, vsRandom: isCompared ? comparePaired(own.scores, ofRandom, better) : null };
  });
}

/**
 * Charged steps to the first evaluation at the threshold. A run that never gets there counts as its whole budget: the mean
 * is that of steps up to the budget, which needs no guess of what would have come after.
 */
export function reportThreshold(
  store: StoreReader,
  { arms, better }: ReportedStudy,
  given: number | null,
): ReportView['threshold'] {
  const usual = given === null ? usualThreshold(store, { arms, better }) : null;
  const value = given ?? usual?.value ?? null;
  if (value === null) return null;
  const isThere = (score: number): boolean => (better === 'higher' ? score >= value : score <= value);
  const stepsOf = (runId: string): number | null =>
    pointsOf(store, runId, 'eval/objective').find((point) => isThere(point.value))?.step ?? null;
  const scored = arms.map((arm) => {
    const steps = bySeed(arm, ({ runId }) => stepsOf(runId));
    return {
      arm,
      reached: steps.size,
      scores: bySeed(arm, ({ seed, totalSteps }) => steps.get(seed) ?? totalSteps),
    };
  });
  const rows = compareArms(scored, 'lower').map((row, index) => {
    const { reached = 0, scores } = scored[index] ?? {};
    return { ...row, reached, numRuns: scores?.size ?? 0 };
  });
  return { value, source: usual?.source ?? 'given', arms: rows };
}

/**
 * What the first arm ends with; where training in it made policies no better than untrained ones, half of the way from those
 * to the best arm's end.
 */
function usualThreshold(
  store: StoreReader,
  { arms, better }: Pick<ReportedStudy, 'arms' | 'better'>,
): { readonly value: number; readonly source: 'baseline' | 'halfway' } | null {
  const isBetter = (a: number, b: number): boolean => (better === 'higher' ? a > b : a < b);
  const ends = arms.map((arm) => summarizeScores(bySeed(arm, ({ objective }) => objective))?.iqm ?? null);
  const [baseline = null] = ends;
  if (baseline === null) return null;
  const starts = arms.flatMap((arm) => [
    ...bySeed(arm, ({ runId }) => pointsOf(store, runId, 'eval/objective')[0]?.value ?? null).values(),
  ]);
  const untrained = starts.length === 0 ? baseline : interquartileMean(starts);
  if (isBetter(baseline, untrained)) return { value: baseline, source: 'baseline' };
  const best = ends.reduce<number>((so, end) => (end !== null && isBetter(end, so) ? end : so), baseline);
  if (!isBetter(best, untrained)) return { value: baseline, source: 'baseline' };
  return { value: (untrained + best) / 2, source: 'halfway' };
}

/** Scores in environments that no coach was told of, at the end and round by round. */
export function reportHeldOut(store: StoreReader, study: ReportedStudy): ReportView['heldOut'] {
  const { arms, better } = study;
  const runIds = arms.flatMap(({ runs }) => runs.map(({ runId }) => runId));
  const prefix = heldOutKey('');
  const names = store.series
    .keys(runIds)
    .flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
  const lastOf = (arm: ReportedArm, name: string): Scores =>
    bySeed(arm, ({ runId }) => pointsOf(store, runId, heldOutKey(name)).at(-1)?.value ?? null);
  const environments = names.map((name) => ({
    name,
    scored: arms.map((arm) => ({ arm, scores: lastOf(arm, name) })),
  }));
  return {
    environments: environments.map(({ name, scored }) => ({ name, arms: compareArms(scored, better) })),
    overall: arms.slice(1).flatMap((arm, index) => {
      const ofArm = environments.map(({ scored }) => [scored[index + 1]?.scores, scored[0]?.scores] as const);
      const overall = compareOverall(ofArm, better);
      return overall === null ? [] : [{ arm: arm.name, ...overall }];
    }),
    rounds: names.flatMap((name) => arms.flatMap((arm) => heldOutByRound(store, arm, name))),
  };
}

/**
 * By seed, the share of environments in which an arm is better than the other; one policy is scored in all of them, so
 * seeds are what is independent.
 */
function compareOverall(
  environments: readonly (readonly [own: Scores | undefined, other: Scores | undefined])[],
  better: 'higher' | 'lower',
): Omit<ReportView['heldOut']['overall'][0], 'arm'> | null {
  const sign = better === 'higher' ? 1 : -1;
  const seeds = [...(environments[0]?.[0]?.keys() ?? [])];
  const shares = seeds.flatMap((seed) => {
    const wins = environments.flatMap(([own, other]) => {
      const [a, b] = [own?.get(seed), other?.get(seed)];
      return a === undefined || b === undefined ? [] : [(Math.sign((a - b) * sign) + 1) / 2];
    });
    return wins.length < environments.length ? [] : [mean(wins)];
  });
  const [only] = shares;
  if (only === undefined) return null;
  const interval =
    shares.length === 1
      ? { low: only, high: only }
      : bootstrapInterval(shares, mean, new CounterRng(resampleSeed, 2));
  return { probabilityOfImprovement: mean(shares), ...interval, numPairs: shares.length };
}

function heldOutByRound(store: StoreReader, arm: ReportedArm, name: string): ReportView['heldOut']['rounds'] {
  const numRounds = Math.max(0, ...arm.runs.map((run) => run.numRounds));
  return Array.from({ length: numRounds }, (_, round) => {
    const scores = bySeed(arm, ({ runId }) => {
      const step = store.rounds.find(runId, round)?.outcome?.chargedSteps;
      return step === undefined ? null : valueAt(store, runId, heldOutKey(name), step);
    });
    const figure = summarizeScores(scores);
    return figure === null ? [] : [{ environment: name, arm: arm.name, round, figure }];
  }).flat();
}
