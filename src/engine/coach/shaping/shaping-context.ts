import type { EnvironmentSpec } from '../../../shared/rl/vec-env.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import type { CoachEdl } from '../types.ts';
import type { ShapingDiscipline } from './discipline.ts';
import { followChange, type RunningEnvironment, specInForce } from './follow-change.ts';

/** How a run takes up changes of rewards, and where it stands at a boundary. */
export interface ShapingContext {
  readonly discipline: ShapingDiscipline;
  /** What trained in the round that ended, with the weights it ended with. */
  readonly running: RunningEnvironment;
  /** What the run began with: terms that are not in it are the coach's. */
  readonly first: CompiledEnvironment;
  readonly trainedSteps: number;
}

/** What a trial trains of an environment: its own spec where a run has no discipline. */
export function specOnTrial(
  edl: Pick<CoachEdl, 'applyChanges'>,
  shaping: ShapingContext | null,
  { text, environment }: { readonly text: string; readonly environment: CompiledEnvironment },
): EnvironmentSpec {
  if (shaping === null) return environment.spec;
  const { discipline, running: before, first, trainedSteps } = shaping;
  const input = { edl, before, text, environment, first, discipline, trainedSteps, isTrial: true };
  return specInForce(followChange(input), discipline);
}
