import type { CompiledEnvironment } from '../../edl/types.ts';
import { tokenize } from '../enumerate/declaration-text.ts';
import type { CoachDependencies, RecordedStep } from '../types.ts';
import { type Reason, reason } from './reason.ts';
import { countDifferent, type ReplayedSteps, replaySteps } from './replay-steps.ts';

/** Recorded steps a candidate is evaluated on. */
export const evidenceSteps = 1024;

/** A coach's term may give at most this share of the nominal return per episode and agent. */
const maxNominalShare = 1;

export interface EvidenceInput {
  readonly createVecEnv: CoachDependencies['createVecEnv'];
  /** The environment that holds. */
  readonly current: CompiledEnvironment;
  readonly candidate: CompiledEnvironment;
  /** Targets of what the proposal adds or modifies; only they are judged. */
  readonly changed: ReadonlySet<string>;
  readonly recorded: readonly RecordedStep[];
}

/**
 * Evaluates a candidate on the recorded steps of the round: does what it changes fire at times, stay within bounds,
 * and, where it is a rule, make any difference to what happens.
 *
 * Throws: sim.badSnapshot where the candidate's state has another layout.
 */
export function checkEvidence(input: EvidenceInput): Reason[] {
  const { createVecEnv, candidate, changed, recorded } = input;
  const { program } = candidate.spec;
  if (program === null || changed.size === 0) return [];
  if (recorded.length === 0) {
    return [reason('noRecord', 'the round left no recorded steps to evaluate the change on')];
  }
  const replayed = replaySteps(createVecEnv, candidate, recorded);
  const reasons = [...judgeFiring(input, replayed), ...judgeTraps(replayed), ...judgeSizes(input, replayed)];
  return reasons.length > 0 ? reasons : judgeEffect(input, replayed);
}

function judgeFiring({ candidate, changed }: EvidenceInput, { fired, steps }: ReplayedSteps): Reason[] {
  return (candidate.spec.program?.declarations ?? []).flatMap(({ kind, name, instances }, index) => {
    const target = `${kind} ${name}`;
    if (!changed.has(target)) return [];
    const words = wordsOf(candidate, target);
    const evidence = { fired: fired[index] ?? 0, chances: steps * instances, steps };
    if (evidence.fired === 0) {
      // What waits for its time or for chance need not come in steps that were picked from a round.
      if (kind === 'event' && isAwaited(candidate, name)) return [];
      return [
        reason('neverFires', `${target} fires in none of ${steps} recorded steps of the round`, evidence),
      ];
    }
    if (evidence.fired < evidence.chances || !words.some((word) => conditional.has(word))) return [];
    const message = `the condition of ${target} holds in all of ${steps} recorded steps: it decides nothing`;
    return [reason('alwaysFires', message, evidence)];
  });
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

function judgeTraps({ traps, steps }: ReplayedSteps): Reason[] {
  if (traps === 0) return [];
  const message = `the program computed an undefined value in ${traps} of ${steps} recorded steps`;
  return [reason('traps', message, { traps, steps })];
}

function judgeSizes({ candidate, changed }: EvidenceInput, { meanGift, steps }: ReplayedSteps): Reason[] {
  const { episodeLength, nominalReturn } = candidate.manifest;
  return (candidate.spec.program?.components ?? []).flatMap(({ name, episodeLimit, isPotential }, index) => {
    const target = [`reward ${name}`, `constraint ${name}`].find((each) => changed.has(each));
    // A potential gives and takes back: over an episode it comes to no more than its range.
    if (target === undefined || isPotential) return [];
    const perEpisode = Math.min((meanGift[index] ?? 0) * episodeLength, episodeLimit);
    const share = perEpisode / nominalReturn;
    if (!(share > maxNominalShare)) return [];
    const message = `${target} would give about ${perEpisode.toPrecision(3)} per episode and agent, ${share.toPrecision(3)} times the nominal return (${nominalReturn}): weaken it or add "limit"`;
    return [reason('tooLarge', message, { perEpisode, nominalReturn, share, steps })];
  });
}

/** Kinds that are there to make what happens different. */
const effective = /^(rule|event|npc) /;

/** A rule that fires and changes nothing (a cap that is never reached, say) would cost a trial and tell nothing. */
function judgeEffect(
  { createVecEnv, current, candidate, changed, recorded }: EvidenceInput,
  replayed: ReplayedSteps,
): Reason[] {
  const targets = [...changed];
  if (!targets.every((target) => effective.test(target)) || isAnyIdle(candidate, changed, replayed))
    return [];
  if (countDifferent(replayed, replaySteps(createVecEnv, current, recorded)) > 0) return [];
  const message = `${targets.join(' and ')} fires, but none of ${replayed.steps} recorded steps ends in another state`;
  return [reason('noEffect', message, { different: 0, steps: replayed.steps })];
}

/** Whether something that was changed did not come up in the recorded steps at all. */
function isAnyIdle(
  { spec }: CompiledEnvironment,
  changed: ReadonlySet<string>,
  { fired }: ReplayedSteps,
): boolean {
  return (spec.program?.declarations ?? []).some(
    ({ kind, name }, index) => changed.has(`${kind} ${name}`) && fired[index] === 0,
  );
}
