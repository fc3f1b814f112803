import type { ProposedChange } from '../../../shared/contract/coach.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import { spreadSteps } from '../../train/index.ts';
import type { CoachDependencies, Recording } from '../types.ts';
import { isEffective, makesNoDifference, targetsOf } from './effect.ts';
import { evidenceSteps, type ReplayedSteps, replaySteps } from './replay-steps.ts';

/** Whether an edit, told by what it leads to and by its changes, is refused for what recorded steps say, one by one. */
export type FutileEdits = (
  candidate: CompiledEnvironment,
  changes: readonly Pick<ProposedChange, 'op' | 'target'>[],
) => boolean;

/**
 * Tells of edits of an environment whether the validator would refuse them because they compute an undefined value, or make no
 * difference, in the recorded steps of the round. What else may be said against an edit takes longer to find out, and is left to it.
 *
 * Cost: one replay of the steps, 10 to 20 ms, for each edit that adds something or changes a rule, an event or an npc.
 */
export function findFutileEdits(
  createVecEnv: CoachDependencies['createVecEnv'],
  current: CompiledEnvironment,
  recording: Pick<Recording, 'steps'>,
): FutileEdits {
  const steps = spreadSteps(recording.steps, evidenceSteps);
  let known: ReplayedSteps | null = null;
  const before = (): ReplayedSteps => {
    known ??= replaySteps(createVecEnv, current, steps);
    return known;
  };
  return (candidate, changes) => {
    const changed = targetsOf(changes);
    const isAddition = changes.some(({ op }) => op === 'add');
    if (steps.length === 0 || candidate.spec.program === null || changed.size === 0) return false;
    if (!isAddition && ![...changed].every(isEffective)) return false;
    try {
      const replayed = replaySteps(createVecEnv, candidate, steps);
      return replayed.traps > 0 || makesNoDifference(candidate, changed, replayed, before);
    } catch (thrown) {
      // What cannot be played is for the validator to refuse, with its reason.
      if (thrown instanceof AppError && unplayable.has(thrown.code)) return false;
      throw thrown;
    }
  };
}

const unplayable: ReadonlySet<string> = new Set(['sim.badSnapshot', 'vm.badProgram']);
