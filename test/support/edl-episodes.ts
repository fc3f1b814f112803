import { compile, type EdlHost } from '../../src/engine/edl/index.ts';
import { createVecEnv } from '../../src/engine/sim/index.ts';
import type { EnvironmentSpec, VecEnv, VecEnvOptions } from '../../src/shared/rl/vec-env.ts';
import { Draw } from './edl-generator/draw.ts';
import { simHost } from './sim-host.ts';

const host = simHost();

/** The spec of a text that has to be right; groups that npcs control are played by them. */
export function specOf(text: string, capacities: EdlHost['capacities'] = {}): EnvironmentSpec {
  const { environment, diagnostics } = compile(text, { ...host, capacities });
  if (environment === null)
    throw new Error(`${text}\n${diagnostics.map((d) => `${d.code} ${d.message}`).join('\n')}`);
  return environment.spec;
}

/** `declarations` over a scenario, with room for members that a run has fixed. */
export function specWith(
  declarations: string,
  scenario = 'simple_spread',
  capacities: EdlHost['capacities'] = {},
): EnvironmentSpec {
  return specOf(`environment test extends ${scenario} {\n${declarations}\n}\n`, capacities);
}

/** Drawn actions for all copies, from the number of the episode and step alone: the same for every number of copies. */
export function actionsFor(env: VecEnv, seed: number, step: number, episodes: readonly number[]): Int32Array {
  const { numAgents, manifest } = env;
  const numActions = manifest.groups.flatMap((group) => group.agents.map(() => group.numActions));
  return Int32Array.from({ length: env.numEnvs * numAgents }, (_, i) => {
    const draw = new Draw(
      seed + 1000 * step + 7919 * (episodes[Math.floor(i / numAgents)] ?? 0) + (i % numAgents),
    );
    return draw.below(numActions[i % numAgents] ?? 1);
  });
}

/** What one episode came to. */
export interface EpisodeRecord {
  readonly episode: number;
  readonly length: number;
  /** By component, per agent. */
  readonly components: ReadonlyMap<string, readonly number[]>;
  /** By metric, per agent. */
  readonly metrics: ReadonlyMap<string, readonly number[]>;
  /** Components of every step, as they were given: [step][agent][component]. */
  readonly given: readonly Float32Array[];
  readonly regimes: readonly number[];
}

export interface PlayOptions extends Partial<VecEnvOptions> {
  readonly trainingSteps?: (step: number) => number;
}

/** Plays copies until each has ended an episode; records by episode number. */
export function playEpisodes(spec: EnvironmentSpec, options: PlayOptions = {}): EpisodeRecord[] {
  const { trainingSteps = () => 0, ...rest } = options;
  const env = createVecEnv(spec, { numEnvs: 1, seed: 5n, firstEpisode: 0, ...rest });
  const first = rest.firstEpisode ?? 0;
  env.setTrainingSteps(trainingSteps(0));
  env.reset(rest.seed ?? 5n, first);
  const records = new Map<number, EpisodeRecord>();
  const given: Float32Array[][] = Array.from({ length: env.numEnvs }, () => []);
  const regimes: number[][] = Array.from({ length: env.numEnvs }, () => []);
  const episodes = Array.from({ length: env.numEnvs }, (_, e) => first + e);
  for (let step = 0; records.size < env.numEnvs; step++) {
    env.setTrainingSteps(trainingSteps(step + 1));
    env.step(actionsFor(env, Number(rest.seed ?? 5n), step, episodes));
    const width = env.numAgents * env.numComponents;
    for (let e = 0; e < env.numEnvs; e++) {
      if (records.has(e)) continue;
      given[e]?.push(env.components.slice(e * width, (e + 1) * width));
      regimes[e]?.push(env.regimes[e] ?? -1);
      if (env.terminated[e] === 1 || env.truncated[e] === 1)
        records.set(e, recordOf(env, e, given[e] ?? [], regimes[e] ?? []));
    }
  }
  env.dispose();
  return [...records.entries()].sort(([a], [b]) => a - b).map(([, record]) => record);
}

function recordOf(
  env: VecEnv,
  e: number,
  given: readonly Float32Array[],
  regimes: readonly number[],
): EpisodeRecord {
  const rows = (values: Float64Array, names: readonly string[]): Map<string, number[]> =>
    new Map(
      names.map((name, c) => [
        name,
        Array.from(
          { length: env.numAgents },
          (_, a) => values[(e * env.numAgents + a) * names.length + c] ?? 0,
        ),
      ]),
    );
  return {
    episode: env.endedEpisode[e] ?? -1,
    length: env.episodeLength[e] ?? 0,
    components: rows(env.episodeComponents, env.componentNames),
    metrics: rows(
      env.episodeMetrics,
      env.metrics.map(({ name }) => name),
    ),
    given,
    regimes,
  };
}

/** One figure of the first copy's episode, per agent. */
export function figure(values: ReadonlyMap<string, readonly number[]>, name: string): readonly number[] {
  const found = values.get(name);
  if (found === undefined) throw new Error(`no ${name} among ${[...values.keys()].join(', ')}`);
  return found;
}
