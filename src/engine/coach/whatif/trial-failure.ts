import type { TrialFailure } from '../../store/trials.ts';
import type { TrialBranch } from '../../train/protocol.ts';

const controlBrokeDown = 'training in the unchanged environment broke down';

/** Why a pair has no difference, in words. */
export function describeFailure(branch: TrialBranch, control: TrialBranch): string {
  if (branch.error !== null) return `training in it broke down: ${branch.error.message}`;
  return `${controlBrokeDown}, so there is nothing to compare with: ${control.error?.message ?? 'no reason given'}`;
}

/** Whether training broke down in the candidate itself; else it did in what it was compared with, which says nothing of it. */
export function isOfCandidate({ message }: Pick<TrialFailure, 'message'>): boolean {
  return !message.startsWith(controlBrokeDown);
}
