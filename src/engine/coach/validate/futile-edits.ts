import type { ProposedChange } from '../../../shared/contract/coach.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import { spreadSteps } from '../../train/index.ts';
import type { CoachDependencies, Recording, RunSeries } from '../types.ts';
import { isEffective, makesNoDifference, targetsOf } from './effect.ts';
import { judgeStages } from './judge-reach.ts';
import { evidenceSteps, isUnplayable, type ReplayedSteps, replaySteps } from './replay-steps.ts';

/** Whether an edit, told by what it leads to and by its changes, is refused for what was measured and recorded steps say, one by one. */
export type FutileEdits = (
  candidate: CompiledEnvironment,
  changes: readonly Pick<ProposedChange, 'op' | 'target'>[],
) => boolean;

/**
 * Tells of edits of an environment whether the validator would refuse them because they compute an undefined value more often than it does, or make no
 * difference, in the recorded steps of the round, or because a stage would end at once or never. What else may be said against an edit takes longer to
 * find out, and is left to it.
 *
 * Requires: rewards and constraints that are added under one name differ in their weights alone, which make nothing undefined.
 * Cost: one replay of the steps, 10 to 20 ms, for each change of a rule, an event or an npc, and each name that is added.
 */
export function findFutileEdits(
  createVecEnv: CoachDependencies['createVecEnv'],
  current: CompiledEnvironment,
  recording: Pick<Recording, 'steps'>,
  series: RunSeries,
): FutileEdits {
  const steps = spreadSteps(recording.steps, evidenceSteps);
  const replay = (environment: CompiledEnvironment): ReplayedSteps =>
    replaySteps(createVecEnv, environment, steps);
  let known: ReplayedSteps | null = null;
  const before = (): ReplayedSteps => {
    known ??= replay(current);
    return known;
  };
  const trapsMore = ({ traps }: ReplayedSteps): boolean => traps > 0 && traps > before().traps;
  const trapping = new Map<string, boolean>();
  const traps = (candidate: CompiledEnvironment, added: string): boolean => {
    const found = trapping.get(added) ?? trapsMore(replay(candidate));
    trapping.set(added, found);
    return found;
  };
  return (candidate, changes) => {
    const changed = targetsOf(changes);
    if (judgeStages(candidate, changed, series).length > 0) return true;
    const [added] = [...changed];
    if (steps.length === 0 || candidate.spec.program === null || added === undefined) return false;
    try {
      if ([...changed].every(isEffective)) {
        const replayed = replay(candidate);
        return trapsMore(replayed) || makesNoDifference(candidate, changed, replayed, before);
      }
      const isTerm = /^(reward|constraint) /.test(added);
      return isTerm && changes.length === 1 && changes[0]?.op === 'add' && traps(candidate, added);
    } catch (thrown) {
      // What cannot be played is for the validator to refuse, with its reason.
      if (isUnplayable(thrown)) return false;
      throw thrown;
    }
  };
}
