import { openStates } from '../../shared/contract/open-states.ts';
import type { RunState } from '../../shared/contract/runs.ts';
import { assertNever } from '../../shared/std/assert-never.ts';
import type { Tone } from './feedback.tsx';

/** Colour family in which a run's or study's state is shown. */
export function toneOfRunState(state: RunState): Tone {
  switch (state) {
    case 'running':
      return 'accent';
    case 'finished':
      return 'good';
    case 'failed':
      return 'bad';
    case 'paused':
    case 'interrupted':
      return 'warning';
    case 'queued':
    case 'stopped':
      return 'neutral';
    default:
      return assertNever(state);
  }
}

/** Whether anything of it may still move without being resumed. */
export function isLive(state: RunState): boolean {
  return openStates.includes(state);
}

/** Whether `runs.start {resume}` can take it up again. */
export function isResumable(state: RunState): boolean {
  return state === 'stopped' || state === 'interrupted' || state === 'failed';
}
