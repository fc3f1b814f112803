import type { ProposedChange } from '../../../shared/contract/coach.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import { countDifferent, type ReplayedSteps } from './replay-steps.ts';

/** Whether a declaration is of a kind that is there to make what happens different. */
export function isEffective(target: string): boolean {
  return /^(rule|event|npc) /.test(target);
}

/** Whether a declaration is of a kind that may make what happens different: those that are there to, and parameters. */
export function isActing(target: string): boolean {
  return isEffective(target) || target.startsWith('set ');
}

/** Targets of what changes add or modify. */
export function targetsOf(changes: readonly Pick<ProposedChange, 'op' | 'target'>[]): ReadonlySet<string> {
  const written = changes.filter(({ op }) => op !== 'remove');
  return new Set(written.map(({ target }) => target.trim().replace(/\s+/g, ' ')));
}

/**
 * Whether what was changed is there to make what happens different, acts in the recorded steps, and none of them ends in another
 * state for it: a cap that is never reached, an attribute that nothing uses. `before`: the same steps without the change.
 */
export function makesNoDifference(
  candidate: CompiledEnvironment,
  changed: ReadonlySet<string>,
  replayed: ReplayedSteps,
  before: () => ReplayedSteps,
): boolean {
  return (
    [...changed].every(isEffective) &&
    !isAnyIdle(candidate, changed, replayed) &&
    countDifferent(replayed, before()) === 0
  );
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
