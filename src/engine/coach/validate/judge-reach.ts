import type { CompiledEnvironment, CompiledStage } from '../../edl/types.ts';
import { readEvaluations } from '../snapshot/evaluations.ts';
import type { RoundContext, RunSeries } from '../types.ts';
import { isActing } from './effect.ts';
import {
  exampleOf,
  examplesOf,
  firedBy,
  type PlayedStretch,
  type PlayedStretches,
} from './play-stretches.ts';
import { doubt, type Reason, reason } from './reason.ts';

export type ObjectiveAim = Pick<RoundContext['objective'], 'metric' | 'group'>;

/** Fewest recorded successes that can say anything about what success needs. */
const minSuccesses = 5;

/** Whether an agent of the objective's group reached the aim of the scenario at the end of the stretch. */
function isSuccess({ success }: PlayedStretch, agents: ReadonlySet<string>): boolean {
  return Object.entries(success ?? {}).some(([agent, isReached]) => isReached && agents.has(agent));
}

function agentsOf({ manifest }: CompiledEnvironment, { group }: ObjectiveAim): ReadonlySet<string> {
  return new Set(manifest.groups.find(({ name }) => name === group)?.agents ?? []);
}

/**
 * A constraint that all success so far would have broken: keeping it and reaching the objective exclude each other, as far
 * as the record goes. Without enough successes on record it is asked of the steps that paid best, against all others.
 */
export function judgeReach(
  candidate: CompiledEnvironment,
  changed: ReadonlySet<string>,
  aim: ObjectiveAim,
  played: PlayedStretches,
): Reason[] {
  const constraints = candidate.ir.constraints
    .map(({ name }) => `constraint ${name}`)
    .filter((target) => changed.has(target));
  const successes = played.stretches.filter((stretch) => isSuccess(stretch, agentsOf(candidate, aim)));
  return constraints.flatMap((target) => {
    const violated = firedBy(played, target);
    if (violated === null) return [];
    return successes.length >= minSuccesses
      ? judgeSuccesses(target, violated, successes, played)
      : judgeBestSteps(candidate, aim, { target, violated }, played);
  });
}

function judgeSuccesses(
  target: string,
  violated: Float64Array,
  successes: readonly PlayedStretch[],
  played: PlayedStretches,
): Reason[] {
  const firstViolations = successes.flatMap(({ first, length }) => {
    const at = violated.subarray(first, first + length).findIndex((count) => count > 0);
    return at < 0 ? [] : [first + at];
  });
  if (firstViolations.length < successes.length) return [];
  const message = `all ${successes.length} recorded successes would have broken ${target}: with it, the objective cannot be reached in any way seen so far`;
  const evidence = { successes: successes.length, violating: firstViolations.length };
  return [reason('unreachable', message, evidence, examplesOf(played, firstViolations))];
}

/** Share of steps that count as the best paid, and how many there have to be. */
const bestShare = 0.1;
const minBest = 30;
/** Share of the other steps in which a constraint may be broken and still be said to forbid just the best. */
const othersShare = 0.5;

function judgeBestSteps(
  candidate: CompiledEnvironment,
  aim: ObjectiveAim,
  { target, violated }: { readonly target: string; readonly violated: Float64Array },
  played: PlayedStretches,
): Reason[] {
  if (aim.metric !== 'episode_return') return [];
  const pay = basePay(candidate, aim, played);
  const sorted = Float64Array.from(pay).sort();
  const threshold = sorted[Math.floor((1 - bestShare) * sorted.length)] ?? Number.POSITIVE_INFINITY;
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.POSITIVE_INFINITY;
  // Where most steps pay the same there is no best to speak of.
  if (!(threshold > middle)) return [];
  const best: number[] = [];
  let others = 0;
  let brokenElsewhere = 0;
  for (const [step, value] of pay.entries()) {
    if (value >= threshold) best.push(step);
    else {
      others++;
      if ((violated[step] ?? 0) > 0) brokenElsewhere++;
    }
  }
  const broken = best.filter((step) => (violated[step] ?? 0) > 0).length;
  if (best.length < minBest || broken < best.length || brokenElsewhere > othersShare * others) return [];
  const message = `${target} forbids what is paid for: it is broken in all ${best.length} steps with the best base reward, and in ${brokenElsewhere} of the ${others} others`;
  const evidence = { best: best.length, broken, others, brokenElsewhere };
  return [reason('unreachable', message, evidence, examplesOf(played, best))];
}

/** [N] base reward of the objective's group, summed over its agents. */
function basePay(
  { manifest }: CompiledEnvironment,
  { group }: ObjectiveAim,
  { components, numSteps, numAgents, numComponents }: PlayedStretches,
): Float64Array {
  const own = manifest.groups.find(({ name }) => name === group);
  const first = own?.firstAgent ?? 0;
  const count = own?.agents.length ?? 0;
  const numBase = manifest.components.length;
  return Float64Array.from({ length: numSteps }, (_, step) => {
    let sum = 0;
    for (let agent = first; agent < first + count; agent++) {
      const row = (step * numAgents + agent) * numComponents;
      for (let column = 0; column < numBase; column++) sum += components[row + column] ?? 0;
    }
    return sum;
  });
}

/** Share of the successes that may be left for the rest to count as lost. */
const leftShare = 0.1;

/** The same actions that succeeded in the environment that holds no longer do: a doubt, since agents would act otherwise there. */
export function judgeLostSuccess(
  candidate: CompiledEnvironment,
  changed: ReadonlySet<string>,
  aim: ObjectiveAim,
  { before, played }: { readonly before: PlayedStretches; readonly played: PlayedStretches },
): Reason[] {
  if (![...changed].some(isActing)) return [];
  const agents = agentsOf(candidate, aim);
  const reached = before.stretches.filter((stretch) => isSuccess(stretch, agents));
  if (reached.length < minSuccesses) return [];
  const left = played.stretches.filter((stretch) => isSuccess(stretch, agents)).length;
  if (left > leftShare * reached.length) return [];
  const message = `of ${reached.length} recorded successes ${left} are left when the same actions are taken with the change`;
  const examples = reached.flatMap(({ first, length }) => exampleOf(before, first, first + length - 1));
  return [doubt('losesSuccess', message, { successes: reached.length, left }, examples)];
}

/**
 * Ends of stages that can never come, by the bounds of what they are measured by, or that hold already: the stage would be
 * over before it is trained. Only stages that the change declares.
 */
export function judgeStages(
  candidate: CompiledEnvironment,
  changed: ReadonlySet<string>,
  series: RunSeries,
): Reason[] {
  return candidate.stages
    .filter(({ name }) => changed.has(`stage ${name}`))
    .flatMap((stage) => [...judgeNever(candidate, stage), ...judgeAtOnce(stage, series)]);
}

/** Values tried of each metric, its bounds among them; of several metrics every combination is tried up to so many. */
const numValues = 17;
const maxCombinations = 20_000;

function judgeNever({ manifest, metrics }: CompiledEnvironment, { name, until }: CompiledStage): Reason[] {
  if (until === null) return [];
  const bounds = until.metrics.map((metric) =>
    [...manifest.metrics, ...metrics].find((each) => each.name === metric),
  );
  const known = bounds.flatMap((each) => each ?? []);
  // The bounds of a metric that a text declares may be all that a number can be: their distance is none.
  if (known.length < bounds.length || known.some(({ min, max }) => !Number.isFinite(max - min))) return [];
  const values = known.map(({ min, max }) => spread(min, max));
  const combinations = values.reduce((product, each) => product * each.length, 1);
  if (combinations > maxCombinations) return [];
  for (let index = 0; index < combinations; index++) {
    let rest = index;
    const chosen = new Map(
      until.metrics.map((metric, i) => {
        const own = values[i] ?? [];
        const value = own[rest % own.length] ?? 0;
        rest = Math.floor(rest / own.length);
        return [metric, value] as const;
      }),
    );
    if (until.holds((metric) => chosen.get(metric))) return [];
  }
  const ranges = known.map((each) => `${each.name} ranges from ${each.min} to ${each.max}`).join(', ');
  const message = `stage ${name} can never end: "${until.text}" holds nowhere in what its metrics can be (${ranges})`;
  return [reason('stageNever', message, { tried: combinations })];
}

function spread(min: number, max: number): number[] {
  return Array.from({ length: numValues }, (_, i) => min + ((max - min) * i) / (numValues - 1));
}

function judgeAtOnce({ name, until, forEvaluations }: CompiledStage, series: RunSeries): Reason[] {
  if (until === null) return [];
  const evaluations = readEvaluations(series).slice(-forEvaluations);
  if (evaluations.length < forEvaluations || !evaluations.every((read) => until.holds(read))) return [];
  const message = `stage ${name} would end at once: "${until.text}" held in the last ${forEvaluations} evaluations already`;
  return [reason('stageAtOnce', message, { held: evaluations.length })];
}
