import type { VecEnv } from '../../../shared/rl/vec-env.ts';
import { CounterRng } from '../../../shared/std/rng.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import { metricKey } from '../snapshot/evaluations.ts';
import type { CoachDependencies, RecordedStep, Recording, RoundFigures, RunSeries } from '../types.ts';
import { EndedEpisodes } from './ended-episodes.ts';

/** What random play of an environment shows: the material of a snapshot without a learner. */
export interface RandomPlay {
  readonly report: RoundFigures;
  readonly steps: number;
  readonly series: RunSeries;
  readonly recording: Recording;
}

const numEnvs = 64;
/** Episode lengths played per copy; each gives one evaluation, enough for issues that have to hold for several. */
const numEpisodes = 4;
const recordedSteps = 1024;
/** Copies and steps of the stretches that are kept of each episode length, at another part of it each time. */
const stretchCopies = 16;
const stretchLength = 32;

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
  readonly #stretches: { copy: number; time: number; steps: RecordedStep[] }[] = [];
  readonly #points = new Map<string, { steps: number[]; values: number[] }>();
  readonly #ended: EndedEpisodes;
  #figures: Pick<RoundFigures, 'agentMetrics' | 'agentComponents'> = {
    agentMetrics: {},
    agentComponents: {},
  };
  #steps = 0;

  constructor(env: VecEnv, environment: CompiledEnvironment, group: string, seed: number) {
    this.#env = env;
    this.#environment = environment;
    this.#group = group;
    this.#rng = new CounterRng(BigInt(seed), 0);
    this.#ended = new EndedEpisodes(env);
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
      this.#follow(step, actions);
      env.step(actions);
      this.#steps += numEnvs;
      this.#ended.observe();
      if ((step + 1) % episodeLength === 0) this.#evaluate();
    }
    return {
      report: this.#report(),
      steps: this.#steps,
      series: this.#series(),
      recording: { round: 0, steps: this.#recorded, stretches: this.#stretches },
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

  /** Goes on with the stretches of the first copies; one ends with its episode. */
  #follow(step: number, actions: Int32Array): void {
    const { numAgents, manifest, terminated, truncated } = this.#env;
    const { episodeLength } = manifest;
    const part = Math.floor(step / episodeLength);
    const begins =
      part * episodeLength + Math.floor((part * Math.max(0, episodeLength - stretchLength)) / numEpisodes);
    if (step < begins || step >= begins + Math.min(stretchLength, episodeLength)) return;
    for (let copy = 0; copy < stretchCopies; copy++) {
      const hasEnded = terminated[copy] !== 0 || truncated[copy] !== 0;
      if (step === begins || hasEnded) this.#stretches.push({ copy, time: step, steps: [] });
      const own = actions.slice(copy * numAgents, (copy + 1) * numAgents);
      const open = this.#stretches.findLast((stretch) => stretch.copy === copy);
      open?.steps.push({ snapshot: this.#env.snapshot(copy), actions: own });
    }
  }

  /** Means over the episodes that ended since the last evaluation. */
  #evaluate(): void {
    const { returns, metrics, components } = this.#ended.take();
    const { manifest, metrics: known } = this.#env;
    const own = manifest.groups.find(({ name }) => name === this.#group)?.agents ?? [];
    this.#addMean('eval/objective', returns, own);
    for (const { name: group, agents } of manifest.groups) {
      for (const [name, byAgent] of Object.entries(components)) {
        this.#addMean(`charts/component/${name}/${group}`, byAgent, agents);
      }
    }
    const agentMetrics: Record<string, Readonly<Record<string, number>>> = {};
    for (const { name, perAgent } of known) {
      const byAgent = metrics[name] ?? {};
      this.#addMean(`charts/metric/${name}`, byAgent, perAgent ? Object.keys(byAgent) : own);
      if (!perAgent) continue;
      agentMetrics[name] = byAgent;
      for (const agent of Object.keys(byAgent)) {
        this.#addMean(`charts/metric/${metricKey(name, agent)}`, byAgent, [agent]);
      }
    }
    this.#figures = { agentMetrics, agentComponents: components };
  }

  #addMean(key: string, byAgent: Readonly<Record<string, number>>, agents: readonly string[]): void {
    const values = agents.flatMap((agent) => byAgent[agent] ?? []);
    if (values.length > 0) this.#addPoint(key, values.reduce((sum, value) => sum + value, 0) / values.length);
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
      ...this.#figures,
    };
  }
}
