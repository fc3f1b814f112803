import type { DrawableEnv } from '../../shared/rl/drawable-env.ts';
import type { ScenarioManifest } from '../../shared/rl/manifest.ts';
import type { EnvironmentSpec, VecEnv } from '../../shared/rl/vec-env.ts';
import { scenarioManifest } from './catalogue.ts';
import { endingProblems, outputProblems } from './check-outputs.ts';
import { createVecEnv } from './create-vec-env.ts';
import { legalActions } from './random-actions.ts';

const numEnvs = 70;
/** Steps for short episodes; longer ones are played to their end, but not beyond the latter. */
const usualSteps = 400;
const maxSteps = 20_000;
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

interface Play {
  readonly spec: EnvironmentSpec;
  readonly steps: number;
  /** Events of the manifest happen to the last copy, one in each step. */
  readonly hasEvents: boolean;
}

interface Played {
  readonly episodes: number;
  readonly problems: ReadonlySet<string>;
}

/**
 * Plays a scenario with random legal actions, then with events, then by its scripted policies: outputs are numbers, every
 * agent has a legal action, metrics of ended episodes are within their bounds, frames can be drawn, equal episodes are equal
 * whatever the number of copies, and a copy restored from a snapshot in the midst of its first episode goes on as the original
 * does.
 * Throws: scenario.unknown, scenario.badLibrary, sim.addonMissing.
 */
export function checkScenario(name: string): ScenarioCheck {
  const manifest = scenarioManifest(name);
  const spec = { scenario: manifest.name, parameters: {}, program: null, scripted: {} };
  const { episodeLength } = manifest;
  const steps = Math.min(3 * episodeLength, Math.max(usualSteps, episodeLength), maxSteps);
  const { episodes, problems: first } = playThrough(manifest, { spec, steps, hasEvents: false });
  const problems = new Set(first);
  if (episodes === 0) {
    problems.add(
      `0 episodes ended in ${steps} steps, so that metrics were not seen: the default of what sets episodeLength ` +
        `(now ${episodeLength}) should be at most ${maxSteps}`,
    );
  }
  const few = Math.min(steps, usualSteps);
  const others: [string, Play][] = scriptedPlays(manifest).map((scripted) => [
    Object.entries(scripted)
      .map(([group, policy]) => `${group} played by ${policy}`)
      .join(', '),
    { spec: { ...spec, scripted }, steps: few, hasEvents: false },
  ]);
  if (manifest.events.length > 0) others.unshift(['with events', { spec, steps: few, hasEvents: true }]);
  for (const [how, play] of others) {
    for (const problem of playThrough(manifest, play).problems) {
      if (!first.has(problem)) problems.add(`${how}: ${problem}`);
    }
  }
  return { manifest, steps: steps * numEnvs, episodes, problems: [...problems] };
}

/** Each policy of each group once, the groups in step. */
function scriptedPlays({ groups }: ScenarioManifest): Record<string, string>[] {
  const most = Math.max(...groups.map(({ scripted }) => scripted.length));
  return Array.from({ length: most }, (_, i) =>
    Object.fromEntries(
      groups.flatMap(({ name, scripted }) => {
        const policy = scripted[i % scripted.length];
        return policy === undefined ? [] : [[name, policy]];
      }),
    ),
  );
}

function playThrough(manifest: ScenarioManifest, { spec, steps, hasEvents }: Play): Played {
  const open = (copies: number, firstEpisode: number) =>
    createVecEnv(spec, { numEnvs: copies, seed, firstEpisode });
  const batch = open(numEnvs, 0);
  const single = open(1, numEnvs - 1);
  try {
    const problems = new Set<string>();
    const resumeAt = Math.floor(Math.min(manifest.episodeLength, steps) / 2);
    let episodes = 0;
    let firstEnd = Infinity;
    for (let step = 0; step < steps; step++) {
      const actions = legalActions(batch.availActions, batch.numActions, step);
      if (step === resumeAt) resume(batch, open);
      if (hasEvents) {
        happen(batch, numEnvs - 1, step);
        if (step < firstEnd) happen(single, 0, step);
      }
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
      for (const problem of [...outputProblems(batch), ...frameProblems(batch)]) problems.add(problem);
      for (let env = 0; env < numEnvs; env++) {
        if (!ended(batch, env)) continue;
        episodes++;
        for (const problem of endingProblems(batch, env)) problems.add(problem);
      }
    }
    return { episodes, problems };
  } finally {
    batch.dispose();
    single.dispose();
  }
}

/** One event of the manifest, directed at one of those that it may be directed at. */
function happen(env: VecEnv, copy: number, step: number): void {
  const { events, sets, numAgents } = env.manifest;
  const event = events[step % events.length];
  if (event === undefined) return;
  const entities = new Set(sets.flatMap((set) => set.entities));
  const targets = [...entities].filter(
    (entity) => event.target === 'any' || (event.target === 'agent') === entity < numAgents,
  );
  const round = Math.floor(step / events.length);
  const entity = event.target === 'none' ? -1 : targets[round % targets.length];
  if (entity !== undefined) env.trigger(copy, `${event.verb} ${event.name}`, { entity });
}

/** What cannot be drawn of the last copy. */
function frameProblems(env: DrawableEnv): string[] {
  try {
    env.frame(numEnvs - 1, { ranges: true, sights: true });
    return [];
  } catch (thrown) {
    return [thrown instanceof Error ? thrown.message : String(thrown)];
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
