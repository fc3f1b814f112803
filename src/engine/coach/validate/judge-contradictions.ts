import type { CompiledEnvironment } from '../../edl/types.ts';
import type { CoachDependencies, CoachEdl, RecordedStep } from '../types.ts';
import { isActing } from './effect.ts';
import { examplesOf, firedBy, type PlayedStretches, playStretches, stepsOfAll } from './play-stretches.ts';
import { type Reason, reason } from './reason.ts';
import { type ReplayedSteps, replaySteps } from './replay-steps.ts';

/** Fewest steps in which both sides have to be at work before they are said to contradict each other. */
const minSteps = 8;
/** Share of those steps in which one undoes the other. */
const minShare = 0.9;
/** Share of what one pays that falls together with the other. */
const minOverlap = 0.5;
/** What is left of two gifts that cancel, as a share of the larger. */
const cancelling = 0.05;

/** Two shaping terms that give and take the same: whatever one pays, the other takes back in the same step from the same agent. */
export function judgeOpposedRewards(
  candidate: CompiledEnvironment,
  changed: ReadonlySet<string>,
  played: PlayedStretches,
): Reason[] {
  const numBase = candidate.manifest.components.length;
  const shaping = (candidate.spec.program?.components ?? []).map(({ name, isPotential }, index) => ({
    target: targetOf(candidate, name),
    isPotential,
    column: numBase + index,
  }));
  const own = shaping.filter(({ target, isPotential }) => !isPotential && changed.has(target));
  return own.flatMap((mine) =>
    shaping
      .filter(({ column, isPotential }) => !isPotential && column !== mine.column)
      .flatMap((other) => {
        const { paid, both, opposed, steps } = countOpposed(played, mine.column, other.column);
        // One that pays elsewhere too is there for something else.
        if (both < minSteps || opposed < minShare * both || both < minOverlap * paid) return [];
        const message = `${mine.target} takes back what ${other.target} gives: in ${opposed} of ${both} cases in which both pay an agent, nothing is left`;
        return [reason('contradicts', message, { both, opposed }, examplesOf(played, steps))];
      }),
  );
}

function targetOf({ declarations }: CompiledEnvironment, component: string): string {
  const constraint = `constraint ${component}`;
  return declarations.some(({ target }) => target === constraint) ? constraint : `reward ${component}`;
}

function countOpposed(
  { components, numSteps, numAgents, numComponents }: PlayedStretches,
  mine: number,
  other: number,
): { paid: number; both: number; opposed: number; steps: number[] } {
  const steps: number[] = [];
  let paid = 0;
  let both = 0;
  let opposed = 0;
  for (let row = 0; row < numSteps * numAgents; row++) {
    const a = components[row * numComponents + mine] ?? 0;
    const b = components[row * numComponents + other] ?? 0;
    if (a !== 0) paid++;
    if (a === 0 || b === 0) continue;
    both++;
    if (Math.abs(a + b) > cancelling * Math.max(Math.abs(a), Math.abs(b))) continue;
    opposed++;
    const step = Math.floor(row / numAgents);
    if (steps.at(-1) !== step) steps.push(step);
  }
  return { paid, both, opposed, steps };
}

export interface VariantInput {
  readonly edl: CoachEdl;
  readonly createVecEnv: CoachDependencies['createVecEnv'];
  /** With the changes applied. */
  readonly text: string;
  readonly candidate: CompiledEnvironment;
  readonly changed: ReadonlySet<string>;
  /** Single steps of the record. */
  readonly steps: readonly RecordedStep[];
  /** The candidate on them. */
  readonly replayed: ReplayedSteps;
  /** And on stretches. */
  readonly played: PlayedStretches;
}

/** Rules that are looked at beside a changed one: each costs two environments and two replays. */
const maxPartners = 4;

/**
 * A changed rule beside one in force that changes the same attribute: where both are at work, does the step end as it
 * would without either?
 */
export function judgeOpposedRules(input: VariantInput): Reason[] {
  const { rules } = input.candidate.ir;
  const mine = rules.filter(({ name }) => input.changed.has(`rule ${name}`));
  return mine.flatMap((rule) => {
    const attributes = new Set(rule.effects.map(({ attribute }) => attribute));
    const partners = rules.filter(
      (other) => other.name !== rule.name && other.effects.some(({ attribute }) => attributes.has(attribute)),
    );
    return partners.slice(0, maxPartners).flatMap(({ name }) => judgePair(input, rule.name, name));
  });
}

function judgePair(input: VariantInput, mine: string, other: string): Reason[] {
  const onlyOther = replayWithout(input, [mine]);
  const onlyMine = replayWithout(input, [other]);
  const neither = replayWithout(input, [mine, other]);
  if (onlyOther === null || onlyMine === null || neither === null) return [];
  let both = 0;
  let cancelled = 0;
  for (let step = 0; step < neither.steps; step++) {
    if (isAlike(onlyOther, neither, step) || isAlike(onlyMine, neither, step)) continue;
    both++;
    if (isAlike(input.replayed, neither, step)) cancelled++;
  }
  if (both < minSteps || cancelled < minShare * both) return [];
  const message = `rule ${mine} undoes rule ${other}: in ${cancelled} of ${both} recorded steps in which each makes a difference, both together make none`;
  const atWork = stepsOfAll(input.played, [`rule ${mine}`, `rule ${other}`]);
  const evidence = { both, cancelled, steps: neither.steps };
  return [reason('contradicts', message, evidence, examplesOf(input.played, atWork))];
}

function replayWithout(input: VariantInput, names: readonly string[]): ReplayedSteps | null {
  const removals = names.map((name) => ({ op: 'remove' as const, target: `rule ${name}`, edl: '' }));
  const result = input.edl.applyChanges(input.text, removals);
  if ('refused' in result) return null;
  return replaySteps(input.createVecEnv, result.environment, input.steps);
}

/** Factors such as 1.3 and 1 / 1.3 leave a last bit behind. */
const sameWithin = 1e-5;

function isAlike(a: ReplayedSteps, b: ReplayedSteps, step: number): boolean {
  const width = a.states.length / a.steps;
  for (let i = step * width; i < (step + 1) * width; i++) {
    const [x = 0, y = 0] = [a.states[i], b.states[i]];
    if (Math.abs(x - y) > sameWithin * Math.max(1, Math.abs(x))) return false;
  }
  return true;
}

/** Steps in which a rule has to be at work before it is said to force anything. */
const minForcing = 16;
const forcedShare = 0.95;
const freeShare = 0.5;

/**
 * A constraint that a rule leaves no way to keep: it is broken in (nearly) every step in which the rule is at work, and
 * was not where the same actions were taken without it. Looked at from both sides: a changed rule, and a changed
 * constraint beside the rules in force.
 */
export function judgeForcedViolations(
  input: Pick<VariantInput, 'edl' | 'createVecEnv' | 'text' | 'candidate' | 'changed'>,
  played: PlayedStretches,
  before: PlayedStretches,
  recording: Parameters<typeof playStretches>[2],
): Reason[] {
  const { candidate, changed } = input;
  const constraints = candidate.ir.constraints.map(({ name }) => `constraint ${name}`);
  const forcing = [...changed].filter(isActing);
  const known = constraints.filter((target) => !changed.has(target));
  const found = forcing.flatMap((rule) =>
    known.flatMap((constraint) => judgeForced(played, before, rule, constraint)),
  );
  const fresh = constraints.filter((target) => changed.has(target));
  if (fresh.length === 0) return found;
  const inForce = candidate.ir.rules.map(({ name }) => `rule ${name}`).filter((rule) => !changed.has(rule));
  return [
    ...found,
    ...inForce.slice(0, maxPartners).flatMap((rule) => {
      const result = input.edl.applyChanges(input.text, [{ op: 'remove', target: rule, edl: '' }]);
      if ('refused' in result) return [];
      const without = playStretches(input.createVecEnv, result.environment, recording);
      return fresh.flatMap((constraint) => judgeForced(played, without, rule, constraint));
    }),
  ];
}

function judgeForced(
  played: PlayedStretches,
  without: PlayedStretches,
  rule: string,
  constraint: string,
): Reason[] {
  const violated = firedBy(played, constraint);
  const free = firedBy(without, constraint);
  if (violated === null || free === null) return [];
  const atWork = firedBy(played, rule);
  const steps = Array.from({ length: played.numSteps }, (_, step) => step).filter(
    (step) => atWork === null || (atWork[step] ?? 0) > 0,
  );
  const broken = steps.filter((step) => (violated[step] ?? 0) > 0);
  const brokenBefore = steps.filter((step) => (free[step] ?? 0) > 0).length;
  if (steps.length < minForcing || broken.length < forcedShare * steps.length) return [];
  if (brokenBefore > freeShare * steps.length) return [];
  const message = `${rule} leaves no way to keep ${constraint}: it is broken in ${broken.length} of ${steps.length} steps with it, and in ${brokenBefore} without`;
  const evidence = { broken: broken.length, brokenWithout: brokenBefore, steps: steps.length };
  return [reason('forcesViolation', message, evidence, examplesOf(played, broken))];
}
