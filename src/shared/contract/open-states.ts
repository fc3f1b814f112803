import type { RunState } from './runs.ts';

/** Of runs and studies that an engine is at, or will be, without being resumed. */
export const openStates: readonly RunState[] = ['queued', 'running', 'paused'];
