import type { ScenarioManifest } from '../../shared/rl/manifest.ts';
import type { VecEnv } from '../../shared/rl/vec-env.ts';
import { scenarioManifest } from './catalogue.ts';
import { createVecEnv } from './create-vec-env.ts';
import { randomActions } from './random-actions.ts';

const numEnvs = 70;
const maxSteps = 400;
const seed = 7n;

/** What playing a scenario at random has shown. */
export interface ScenarioCheck {
  readonly manifest: ScenarioManifest;
  /** Env-steps that were taken. */
  readonly steps: number;
  readonly episodes: number;
  /** What does not hold, in words; empty: nothing was found. */
  readonly problems: readonly string[];
}

/**
 * Plays a scenario with random actions: outputs are numbers, every agent has a legal action, equal episodes are equal
 * whatever the number of copies, and a copy restored from a snapshot goes on as the original does.
 * Throws: scenario.unknown, scenario.badLibrary, sim.addonMissing.
 */
export function checkScenario(name: string): ScenarioCheck {
  const manifest = scenarioManifest(name);
  const spec = { scenario: manifest.name, parameters: {}, program: null, scripted: {} };
  const open = (copies: number, firstEpisode: number) =>
    createVecEnv(spec, { numEnvs: copies, seed, firstEpisode });
  const batch = open(numEnvs, 0);
  const single = open(1, numEnvs - 1);
  try {
    const problems = new Set<string>();
    const steps = Math.min(maxSteps, 3 * manifest.episodeLength);
    let episodes = 0;
    let firstEnd = Infinity;
    const fewest = Math.min(...manifest.groups.map((group) => group.numActions));
    for (let step = 0; step < steps; step++) {
      const actions = randomActions(numEnvs * manifest.numAgents, fewest, step);
      if (step === Math.floor(manifest.episodeLength / 2)) resume(batch, open);
      batch.step(actions);
      if (step < firstEnd) {
        single.step(actions.subarray(-manifest.numAgents));
        // After its first episode the single copy plays others than the batch's.
        if (ended(single, 0)) firstEnd = step;
        else if (differs(batch, single)) {
          problems.add(
            'an episode depends on the number of copies, or on what was restored into another copy',
          );
        }
      }
      for (const problem of problemsOf(batch)) problems.add(problem);
      for (let env = 0; env < numEnvs; env++) if (ended(batch, env)) episodes++;
    }
    return { manifest, steps: steps * numEnvs, episodes, problems: [...problems] };
  } finally {
    batch.dispose();
    single.dispose();
  }
}

const ended = (env: VecEnv, copy: number) => env.terminated[copy] === 1 || env.truncated[copy] === 1;

/** Puts the last copy aside into another batch and back, which must change nothing. */
function resume(batch: VecEnv, open: (copies: number, firstEpisode: number) => VecEnv): void {
  const aside = open(3, 0);
  aside.restore(1, batch.snapshot(numEnvs - 1));
  batch.restore(numEnvs - 1, aside.snapshot(1));
  aside.dispose();
}

/** Whether the last copy of the batch shows something else than the single one. */
function differs(batch: VecEnv, single: VecEnv): boolean {
  const tail = (values: Float32Array, width: number) => values.subarray(values.length - width);
  const obs = tail(batch.obs, single.obs.length);
  const rewards = tail(batch.rewards, single.rewards.length);
  return (
    obs.some((value, i) => value !== single.obs[i]) || rewards.some((value, i) => value !== single.rewards[i])
  );
}

function problemsOf(env: VecEnv): string[] {
  const problems: string[] = [];
  const isBad = (value: number) => !Number.isFinite(value);
  if (env.obs.some(isBad)) problems.push('an observation is not a finite number');
  if (env.state.some(isBad)) problems.push('a state output is not a finite number');
  if (env.rewards.some(isBad)) problems.push('a reward is not a finite number');
  if (hasNoAction(env)) problems.push('an agent has no legal action');
  return problems;
}

function hasNoAction({ availActions, numActions }: VecEnv): boolean {
  for (let row = 0; row < availActions.length; row += numActions) {
    if (!availActions.subarray(row, row + numActions).includes(1)) return true;
  }
  return false;
}
