import type { CompiledEnvironment } from '../../edl/types.ts';
import { spreadSteps } from '../../train/index.ts';
import { tokenize } from '../enumerate/declaration-text.ts';
import type { CoachDependencies, CoachEdl, RecordedStep, Recording, RunSeries } from '../types.ts';
import { makesNoDifference } from './effect.ts';
import { judgeBounds } from './judge-bounds.ts';
import {
  judgeForcedViolations,
  judgeOpposedRewards,
  judgeOpposedRules,
  type VariantInput,
} from './judge-contradictions.ts';
import { judgeCycles } from './judge-cycles.ts';
import { judgeLostSuccess, judgeReach, judgeStages, type ObjectiveAim } from './judge-reach.ts';
import {
  exampleOf,
  examplesOf,
  firedBy,
  type PlayedStretches,
  playStretches,
  stepsOfAll,
} from './play-stretches.ts';
import { isPermitted, type Reason, reason } from './reason.ts';
import { evidenceSteps, type ReplayedSteps, replaySteps } from './replay-steps.ts';

export interface EvidenceInput {
  readonly edl: CoachEdl;
  readonly createVecEnv: CoachDependencies['createVecEnv'];
  /** The environment that holds. */
  readonly current: CompiledEnvironment;
  /** Text and environment that the changes lead to. */
  readonly text: string;
  readonly candidate: CompiledEnvironment;
  /** Targets of what the proposal adds or modifies; only they are judged. */
  readonly changed: ReadonlySet<string>;
  readonly recording: Recording;
  readonly objective: ObjectiveAim;
  readonly series: RunSeries;
  /** What a changed term may give per episode and agent, as a share of the nominal return; null: no bound. Default: 1. */
  readonly termShare?: number | null;
}

/**
 * Evaluates a candidate on what was recorded of the round. On single steps, each restored and stepped once: does what it
 * changes fire at times, stay within bounds, and, where it is a rule, make any difference. On stretches, in which the
 * recorded actions are taken one after another: what only time shows.
 *
 * Throws: sim.badSnapshot where the candidate's state has another layout.
 */
export function checkEvidence(input: EvidenceInput): Reason[] {
  const { createVecEnv, candidate, changed, recording, series } = input;
  const stages = judgeStages(candidate, changed, series);
  if (changed.size === 0) return stages;
  const steps = spreadSteps(recording.steps, evidenceSteps);
  if (steps.length === 0) {
    return [...stages, reason('noRecord', 'the round left no recorded steps to evaluate the change on')];
  }
  const replayed = replaySteps(createVecEnv, candidate, steps);
  const played = playStretches(createVecEnv, candidate, recording);
  const first = [
    ...stages,
    ...judgeFiring(input, replayed, played),
    ...judgeTraps(input, steps, replayed, played),
    ...judgeSizes(input, replayed, played),
  ];
  if (first.length > 0) return first;
  const variant = { ...input, steps, replayed, played };
  const reasons = [...judgeEffect(variant), ...judgeRelations(variant, played)];
  // What a refused change may also be doubted for is of no more interest.
  const refusals = reasons.filter(({ severity }) => severity === 'error');
  return isPermitted(reasons) ? [...reasons, ...judgeDoubts(variant, played)] : refusals;
}

/** What a change is to the rest of the environment: to other rules, to constraints, to the objective. */
function judgeRelations(input: VariantInput & EvidenceInput, played: PlayedStretches): Reason[] {
  const { createVecEnv, current, candidate, changed, recording, objective } = input;
  const before = playStretches(createVecEnv, current, recording);
  return [
    ...judgeOpposedRewards(candidate, changed, played),
    ...judgeOpposedRules(input),
    ...judgeForcedViolations(input, played, before, recording),
    ...judgeReach(candidate, changed, objective, played),
    ...judgeLostSuccess(candidate, changed, objective, { before, played }),
  ];
}

function judgeDoubts(input: VariantInput & EvidenceInput, played: PlayedStretches): Reason[] {
  return [...judgeCycles(input.candidate, input.changed, played), ...judgeBounds(input)];
}

/** Over single steps, in which memory begins anew, and stretches, in which it does not: never and always mean in both. */
function judgeFiring(
  { candidate, changed }: EvidenceInput,
  { fired, steps }: ReplayedSteps,
  played: PlayedStretches,
): Reason[] {
  return (candidate.spec.program?.declarations ?? []).flatMap(({ kind, name, instances }, index) => {
    const target = `${kind} ${name}`;
    if (!changed.has(target)) return [];
    const words = wordsOf(candidate, target);
    const inStretches = firedBy(played, target) ?? new Float64Array();
    const evidence = { fired: fired[index] ?? 0, chances: steps * instances, steps };
    if (evidence.fired === 0) {
      if (inStretches.some((count) => count > 0)) return [];
      // What waits for its time or for chance need not come in steps that were picked from a round.
      if (kind === 'event' && isAwaited(candidate, name)) return [];
      const message = `${target} fires in none of ${steps} recorded steps of the round`;
      // One of the stretches in which it does not.
      const first = played.stretches[0];
      const example = first === undefined ? [] : exampleOf(played, 0, first.length - 1);
      return [reason('neverFires', message, evidence, example)];
    }
    if (evidence.fired < evidence.chances || !words.some((word) => conditional.has(word))) return [];
    if (inStretches.some((count) => count < instances)) return [];
    // The condition only guards what is given: as much of it as there is to say differs from step to step.
    if (givesDifferently(candidate, target, played)) return [];
    const message = `the condition of ${target} holds in all of ${steps} recorded steps: it decides nothing`;
    return [reason('alwaysFires', message, evidence, examplesOf(played, [0]))];
  });
}

/** Whether a term gives anybody different amounts in different steps. */
function givesDifferently(
  { spec, manifest }: CompiledEnvironment,
  target: string,
  { components, numSteps, numAgents, numComponents }: PlayedStretches,
): boolean {
  const terms = spec.program?.components ?? [];
  const term = terms.findIndex(({ name }) => target === `reward ${name}` || target === `constraint ${name}`);
  if (term < 0) return false;
  const column = manifest.components.length + term;
  const row = numAgents * numComponents;
  for (let agent = 0; agent < numAgents; agent++) {
    const first = agent * numComponents + column;
    for (let step = 1; step < numSteps; step++) {
      if (components[step * row + first] !== components[first]) return true;
    }
  }
  return false;
}

function isAwaited({ ir }: CompiledEnvironment, name: string): boolean {
  const event = ir.events.find((each) => each.name === name);
  return event !== undefined && (event.trigger.op !== 'when' || event.chance < 1);
}

const conditional: ReadonlySet<string> = new Set(['when', 'never', 'always']);

function wordsOf({ declarations }: CompiledEnvironment, target: string): string[] {
  const text = declarations.find((declaration) => declaration.target === target)?.text ?? '';
  return tokenize(text).map((token) => token.text);
}

/**
 * Undefined values in single steps, and in stretches, in which what lasts and what is remembered comes up. What the environment
 * that holds computes already is no fault of the change.
 */
function judgeTraps(
  { createVecEnv, current, recording }: EvidenceInput,
  recorded: readonly RecordedStep[],
  { traps, steps }: ReplayedSteps,
  played: PlayedStretches,
): Reason[] {
  const inStretches = played.trapped.length;
  const before = traps === 0 ? 0 : replaySteps(createVecEnv, current, recorded).traps;
  if (traps > before) return [trapping({ traps, before, steps }, 'recorded steps', played)];
  if (inStretches === 0) return [];
  const { length } = playStretches(createVecEnv, current, recording).trapped;
  if (inStretches <= length) return [];
  const counts = { traps: inStretches, before: length, steps: played.numSteps };
  return [trapping(counts, 'steps of recorded stretches', played)];
}

function trapping(
  counts: Readonly<Record<'traps' | 'before' | 'steps', number>>,
  where: string,
  played: PlayedStretches,
): Reason {
  const { traps, before, steps } = counts;
  const message = `the program computed an undefined value in ${traps} of ${steps} ${where}${before === 0 ? '' : `, in ${before} without the change`}`;
  return reason('traps', message, counts, examplesOf(played, played.trapped));
}

function judgeSizes(
  { candidate, changed, termShare = 1 }: EvidenceInput,
  { meanGift, steps }: ReplayedSteps,
  played: PlayedStretches,
): Reason[] {
  const { episodeLength, nominalReturn } = candidate.manifest;
  return (candidate.spec.program?.components ?? []).flatMap(({ name, episodeLimit, isPotential }, index) => {
    const target = [`reward ${name}`, `constraint ${name}`].find((each) => changed.has(each));
    // A potential gives and takes back: over an episode it comes to no more than its range.
    if (target === undefined || isPotential) return [];
    const perEpisode = Math.min((meanGift[index] ?? 0) * episodeLength, episodeLimit);
    const share = perEpisode / nominalReturn;
    if (termShare === null || !(share > termShare)) return [];
    const message = `${target} would give about ${perEpisode.toPrecision(3)} per episode and agent, ${share.toPrecision(3)} times the nominal return (${nominalReturn}): weaken it or add "limit"`;
    const evidence = { perEpisode, nominalReturn, share, steps };
    return [reason('tooLarge', message, evidence, examplesOf(played, stepsOfAll(played, [target])))];
  });
}

/** A rule that fires and changes nothing (a cap that is never reached, say) would cost a trial and tell nothing. */
function judgeEffect({
  createVecEnv,
  current,
  candidate,
  changed,
  steps,
  replayed,
  played,
}: EvidenceInput & VariantInput): Reason[] {
  const before = (): ReplayedSteps => replaySteps(createVecEnv, current, steps);
  if (!makesNoDifference(candidate, changed, replayed, before)) return [];
  const targets = [...changed];
  const message = `${targets.join(' and ')} fires, but none of ${replayed.steps} recorded steps ends in another state`;
  const examples = examplesOf(played, stepsOfAll(played, targets));
  return [reason('noEffect', message, { different: 0, steps: replayed.steps }, examples)];
}
