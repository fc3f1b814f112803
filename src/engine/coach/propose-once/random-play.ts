import type { ManifestGroup } from '../../../shared/rl/manifest.ts';
import type { VecEnv } from '../../../shared/rl/vec-env.ts';
import { CounterRng } from '../../../shared/std/rng.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import type { CoachDependencies, RecordedStep, RoundFigures, RunSeries } from '../types.ts';

/** What random play of an environment shows: the material of a snapshot without a learner. */
export interface RandomPlay {
  readonly report: RoundFigures;
  readonly steps: number;
  readonly series: RunSeries;
  readonly recorded: readonly RecordedStep[];
}

const numEnvs = 64;
/** Episodes per copy; each gives one evaluation, enough for issues that have to hold for several. */
const numEpisodes = 4;
const recordedSteps = 1024;

type Totals = Map<string, number>;

/**
 * Plays whole episodes with uniformly random legal actions; the objective is the return of `group`.
 * Seeds: copies and actions from `seed`.
 */
export function playRandomly(
  createVecEnv: CoachDependencies['createVecEnv'],
  environment: CompiledEnvironment,
  group: string,
  seed: number,
): RandomPlay {
  const env = createVecEnv(environment.spec, { numEnvs, seed: BigInt(seed), firstEpisode: 0 });
  try {
    return new Play(env, environment, group, seed).run();
  } finally {
    env.dispose();
  }
}

class Play {
  readonly #env: VecEnv;
  readonly #environment: CompiledEnvironment;
  readonly #group: string;
  readonly #rng: CounterRng;
  readonly #recorded: RecordedStep[] = [];
  readonly #points = new Map<string, { steps: number[]; values: number[] }>();
  readonly #agentMetrics: Record<string, Record<string, number>> = {};
  readonly #agentComponents: Record<string, Record<string, number>> = {};
  #steps = 0;

  constructor(env: VecEnv, environment: CompiledEnvironment, group: string, seed: number) {
    this.#env = env;
    this.#environment = environment;
    this.#group = group;
    this.#rng = new CounterRng(BigInt(seed), 0);
  }

  run(): RandomPlay {
    const env = this.#env;
    env.reset(BigInt(this.#rng.nextUint32()), 0);
    env.takeFireCounts();
    const { episodeLength } = env.manifest;
    const every = Math.max(1, Math.floor((numEpisodes * episodeLength * numEnvs) / recordedSteps));
    for (let step = 0; step < numEpisodes * episodeLength; step++) {
      const actions = this.#drawActions();
      this.#record(actions, every);
      env.step(actions);
      this.#steps += numEnvs;
      if (env.truncated[0] === 1 || env.terminated[0] === 1) this.#evaluate();
    }
    return {
      report: this.#report(),
      steps: this.#steps,
      series: this.#series(),
      recorded: this.#recorded,
    };
  }

  #drawActions(): Int32Array {
    const { numAgents, numActions, availActions } = this.#env;
    return Int32Array.from({ length: numEnvs * numAgents }, (_, row) => {
      const legal = availActions.subarray(row * numActions, (row + 1) * numActions);
      let left = this.#rng.nextBelow(legal.reduce((sum, flag) => sum + flag, 0));
      return legal.findIndex((flag) => flag === 1 && left-- === 0);
    });
  }

  #record(actions: Int32Array, every: number): void {
    const { numAgents } = this.#env;
    for (let copy = 0; copy < numEnvs; copy++) {
      if ((this.#steps + copy) % every !== 0) continue;
      const own = actions.slice(copy * numAgents, (copy + 1) * numAgents);
      this.#recorded.push({ snapshot: this.#env.snapshot(copy), actions: own });
    }
  }

  /** Means over the episodes that ended in this step: one evaluation. */
  #evaluate(): void {
    const totals: Totals = new Map();
    for (const group of this.#env.manifest.groups) this.#addGroup(totals, group);
    for (const [key, value] of totals) this.#addPoint(key, value);
  }

  #addGroup(totals: Totals, { name: group, agents, firstAgent }: ManifestGroup): void {
    const { manifest, componentNames, numAgents, episodeReturn } = this.#env;
    for (const [offset, id] of agents.entries()) {
      const agent = firstAgent + offset;
      for (const [c, component] of componentNames.entries()) {
        const value = this.#meanOver(this.#env.episodeComponents, componentNames.length, agent, c);
        put(this.#agentComponents, component, id, value);
        addTo(totals, `charts/component/${component}/${group}`, value / agents.length);
      }
      for (const [m, metric] of manifest.metrics.entries()) {
        const value = this.#meanOver(this.#env.episodeMetrics, manifest.metrics.length, agent, m);
        if (metric.perAgent) put(this.#agentMetrics, metric.name, id, value);
        addTo(totals, `charts/metric/${metric.name}`, value / numAgents);
      }
      if (group !== this.#group) continue;
      addTo(totals, 'eval/objective', this.#meanOver(episodeReturn, 1, agent, 0) / agents.length);
    }
  }

  #meanOver(values: Float64Array, width: number, agent: number, column: number): number {
    let sum = 0;
    for (let copy = 0; copy < numEnvs; copy++) {
      sum += values[(copy * this.#env.numAgents + agent) * width + column] ?? 0;
    }
    return sum / numEnvs;
  }

  #addPoint(key: string, value: number): void {
    const points = this.#points.get(key) ?? { steps: [], values: [] };
    points.steps.push(this.#steps);
    points.values.push(value);
    this.#points.set(key, points);
  }

  #series(): RunSeries {
    return {
      keys: () => [...this.#points.keys()],
      history: (key) => this.#points.get(key) ?? { steps: [], values: [] },
    };
  }

  #report(): RoundFigures {
    const fired = this.#env.takeFireCounts();
    const fireRates: Record<string, number> = {};
    for (const [i, { kind, name, instances }] of (
      this.#environment.spec.program?.declarations ?? []
    ).entries()) {
      fireRates[`${kind} ${name}`] = (fired[i] ?? 0) / (this.#steps * instances);
    }
    const objective = this.#points.get('eval/objective')?.values.at(-1);
    if (objective === undefined) throw new RangeError('no episode of random play has ended');
    return {
      objective,
      traps: this.#env.takeTraps(),
      fireRates,
      agentMetrics: this.#agentMetrics,
      agentComponents: this.#agentComponents,
    };
  }
}

function put(
  table: Record<string, Record<string, number>>,
  row: string,
  column: string,
  value: number,
): void {
  table[row] = { ...table[row], [column]: value };
}

function addTo(totals: Totals, key: string, value: number): void {
  totals.set(key, (totals.get(key) ?? 0) + value);
}
