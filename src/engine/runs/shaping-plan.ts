import type { ShapingDiscipline } from '../coach/shaping/discipline.ts';
import { isGradual } from '../coach/shaping/discipline.ts';
import { beginWith, followChange, type RunningEnvironment } from '../coach/shaping/follow-change.ts';
import type { ShapingContext } from '../coach/shaping/shaping-context.ts';
import type { CoachEdl } from '../coach/types.ts';
import type { CompiledEnvironment } from '../edl/types.ts';
import type { Store } from '../store/index.ts';
import type { RoundReport, WeightState } from '../train/index.ts';
import type { ArmSpec } from './experiment-types.ts';
import type { RoundPlan, ShapingPlan } from './loop-state.ts';

type Compile = (text: string) => CompiledEnvironment;

/** Null where changes hold at once and without bounds: then a plan says nothing of weights. */
export function disciplineOf({ coach }: Pick<ArmSpec, 'coach'>): ShapingDiscipline | null {
  const { provider, shaping } = coach;
  if (provider === 'none' || (!isGradual(shaping) && shaping.share === null)) return null;
  return shaping;
}

/** What a run's first round trains. */
export function firstShaping(
  store: Store,
  arm: ArmSpec,
  environment: CompiledEnvironment,
): ShapingPlan | null {
  return disciplineOf(arm) === null ? null : planFrom(store, beginWith(arm.environment.text, environment));
}

/**
 * Where the shaping of a run stands when a round has ended; null where it has no discipline. `compile`: as the run plays
 * what it compiles from now on.
 */
export function shapingAt(
  store: Pick<Store, 'texts'>,
  arm: ArmSpec,
  plan: Pick<RoundPlan, 'textHash' | 'shaping'>,
  report: Pick<RoundReport, 'ownSteps' | 'trainedSteps' | 'shaping'>,
  compile: Compile,
): ShapingContext | null {
  const discipline = disciplineOf(arm);
  if (discipline === null) return null;
  const running = endedWith(readRunning(store, plan, compile), report.shaping);
  const { ownSteps, trainedSteps = ownSteps } = report;
  return { discipline, running, first: arm.environment.compiled, trainedSteps };
}

/** What a plan says is trained. */
export function readRunning(
  { texts }: Pick<Store, 'texts'>,
  { textHash, shaping }: Pick<RoundPlan, 'textHash' | 'shaping'>,
  compile: Compile,
): RunningEnvironment {
  const declared = texts.get(textHash);
  if (shaping === null) return beginWith(declared, compile(declared));
  const text = texts.get(shaping.textHash);
  const { components, changedAt } = shaping;
  return { declared, text, environment: compile(text), components, changedAt };
}

/** With the weights that the round ended with. */
function endedWith(running: RunningEnvironment, ended: WeightState | undefined): RunningEnvironment {
  if (ended === undefined) return running;
  const components = running.components.map((component, i) => ({
    ...component,
    weight: ended.weights[i] ?? component.weight,
  }));
  return { ...running, components, changedAt: ended.changedAt };
}

/** What the next round trains, where `text` is to hold. */
export function nextShaping(
  store: Store,
  edl: Pick<CoachEdl, 'applyChanges'>,
  shaping: ShapingContext | null,
  { text, environment }: { readonly text: string; readonly environment: CompiledEnvironment },
): ShapingPlan | null {
  if (shaping === null) return null;
  const { running: before, first, discipline, trainedSteps } = shaping;
  return planFrom(store, followChange({ edl, before, text, environment, first, discipline, trainedSteps }));
}

function planFrom({ texts }: Store, running: RunningEnvironment): ShapingPlan {
  const { text, environment, components, changedAt } = running;
  return {
    textHash: texts.put(text),
    identity: environment.identity,
    components: [...components],
    changedAt,
  };
}
