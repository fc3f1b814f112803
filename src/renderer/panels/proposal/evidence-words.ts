import type { EvidenceExample, EvidenceStep, EvidenceView } from '../../../shared/contract/coach.ts';
import { stepWords } from '../../components/step-words.ts';

/** "round 2, copy 4, steps 12 to 28", as people count rounds and copies. */
export function exampleTitle({ round, copy, from, to }: EvidenceExample): string {
  const steps = from === to ? `step ${from}` : `steps ${from} to ${to}`;
  return `round ${round + 1}, copy ${copy + 1}, ${steps}`;
}

/** A recorded step by its time, and what it did. */
export function stepLine(
  step: Pick<EvidenceStep, 'time' | 'fired' | 'components'>,
  { components }: Pick<EvidenceView, 'components'>,
): string {
  return `step ${step.time}: ${stepWords(step, components)}`;
}
