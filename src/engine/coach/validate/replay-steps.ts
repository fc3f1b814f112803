import type { VecEnv } from '../../../shared/rl/vec-env.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import type { CoachDependencies, RecordedStep } from '../types.ts';

/** Recorded steps a candidate is evaluated on one by one. */
export const evidenceSteps = 1024;

const maxCopies = 256;

/** What an environment makes of recorded steps. */
export interface ReplayedSteps {
  readonly steps: number;
  /** Per declaration of the program. */
  readonly fired: Float64Array;
  readonly traps: number;
  /** Per shaping component: mean over steps and agents of |value|. */
  readonly meanGift: readonly number[];
  /** [steps,S] f32 states after the step. */
  readonly states: Float32Array;
}

/**
 * Restores each recorded state into a copy that runs the environment's program, and steps it once with the recorded
 * actions. Steps that do not fill the last batch are left out.
 *
 * Requires: at least one step.
 * Throws: sim.badSnapshot where the environment's state has another layout.
 */
export function replaySteps(
  createVecEnv: CoachDependencies['createVecEnv'],
  { spec, manifest }: CompiledEnvironment,
  recorded: readonly RecordedStep[],
): ReplayedSteps {
  const numEnvs = Math.min(maxCopies, recorded.length);
  const numBatches = Math.floor(recorded.length / numEnvs);
  const steps = numBatches * numEnvs;
  const env = createVecEnv(spec, { numEnvs, seed: 0n, firstEpisode: 0 });
  try {
    env.reset(0n, 0);
    env.takeFireCounts();
    const gifts = new Float64Array(env.numComponents);
    const states = new Float32Array(steps * env.stateDim);
    let traps = 0;
    for (let batch = 0; batch < numBatches; batch++) {
      stepOnce(env, recorded.slice(batch * numEnvs, (batch + 1) * numEnvs));
      traps += env.takeTraps().length;
      addGifts(gifts, env);
      states.set(statesAfter(env), batch * env.state.length);
    }
    const meanGift = Array.from(
      gifts.subarray(manifest.components.length),
      (sum) => sum / (steps * env.numAgents),
    );
    return { steps, fired: env.takeFireCounts(), traps, meanGift, states };
  } finally {
    env.dispose();
  }
}

/** Whether it was thrown because an environment cannot be played on what was recorded. */
export function isUnplayable(thrown: unknown): thrown is AppError {
  return thrown instanceof AppError && (thrown.code === 'sim.badSnapshot' || thrown.code === 'vm.badProgram');
}

function stepOnce(env: VecEnv, recorded: readonly RecordedStep[]): void {
  const actions = new Int32Array(recorded.length * env.numAgents);
  for (const [copy, step] of recorded.entries()) {
    env.restore(copy, step.snapshot);
    actions.set(step.actions.subarray(0, env.numAgents), copy * env.numAgents);
  }
  env.step(actions);
}

/** [E,S] states that the step led to: of copies whose episode ended with it, the last one. */
function statesAfter({ state, finalState, numEnvs, stateDim, terminated, truncated }: VecEnv): Float32Array {
  const after = state.slice();
  for (let copy = 0; copy < numEnvs; copy++) {
    if (terminated[copy] === 0 && truncated[copy] === 0) continue;
    const row = copy * stateDim;
    after.set(finalState.subarray(row, row + stateDim), row);
  }
  return after;
}

/** Adds |component| over copies and agents. */
function addGifts(gifts: Float64Array, { components, numComponents }: VecEnv): void {
  for (let i = 0; i < components.length; i++) {
    const component = i % numComponents;
    gifts[component] = (gifts[component] ?? 0) + Math.abs(components[i] ?? 0);
  }
}

/** How many steps end in another state. */
export function countDifferent(a: ReplayedSteps, b: ReplayedSteps): number {
  const width = a.states.length / a.steps;
  let different = 0;
  for (let step = 0; step < a.steps; step++) {
    const end = (step + 1) * width;
    let i = step * width;
    while (i < end && a.states[i] === b.states[i]) i++;
    if (i < end) different++;
  }
  return different;
}
