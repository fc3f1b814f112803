import { createHash } from 'node:crypto';
import type {
  CancelSignal,
  ExportedPolicy,
  IterationStats,
  Learner,
  MetricValue,
} from '../../../../shared/rl/learner.ts';
import type { ValueConfig } from '../../../../shared/rl/learner-config.ts';
import { isRecordable, type RecordableEnv } from '../../../../shared/rl/playback.ts';
import type { VecEnv } from '../../../../shared/rl/vec-env.ts';
import { AppError } from '../../../../shared/std/app-error.ts';
import type { LearnerOptions } from '../../create-learner.ts';
import { bytesOf } from '../../data/checkpoint.ts';
import { afterBreakdown } from '../after-breakdown.ts';
import { learningRateAt } from '../iteration.ts';
import { requireSameShapes } from '../learned-groups.ts';
import { exportQNetwork } from './export-q.ts';
import type { ValueStatistics } from './updater.ts';
import { valueStatistics } from './value-graphs.ts';
import { decodeTeam, encodeTeam } from './value-state.ts';
import type { ValueTeam } from './value-team.ts';

/** What VDN and QMIX begin with. */
export type ValueOptions = LearnerOptions<ValueConfig>;

/** All of a value learner but its loop. */
export abstract class ValueLearner implements Learner {
  readonly numSteps: number;
  protected readonly team: ValueTeam;
  readonly #totalSteps: number;
  /** Last finite loss statistics, for the report of a failure. */
  #lastFinite: ValueStatistics | null = null;

  constructor(team: ValueTeam, totalSteps: number | undefined) {
    this.team = team;
    this.numSteps = team.config.numEnvs * team.config.numSteps;
    this.#totalSteps = totalSteps ?? Number.POSITIVE_INFINITY;
  }

  abstract iterate(signal?: CancelSignal): Promise<IterationStats>;

  get trainedSteps(): number {
    return this.team.counters.trainedSteps;
  }

  protected get learningRate(): number {
    return learningRateAt(this.team.config, this.trainedSteps, this.#totalSteps);
  }

  /** One gradient step. Throws: learner.nonfinite. */
  protected async update(learningRate: number): Promise<ValueStatistics> {
    const statistics = await this.team.update(learningRate);
    const metric = valueStatistics.find((name) => !Number.isFinite(statistics[name]));
    if (metric === undefined) {
      this.#lastFinite = statistics;
      return statistics;
    }
    const iteration = Math.floor((this.trainedSteps - 1) / this.numSteps);
    const value = String(statistics[metric]);
    const group = this.team.net.groups.map(({ name }) => name).join('+');
    throw new AppError(
      'learner.nonfinite',
      `Learning of team "${group}" broke down in iteration ${iteration}: ${metric} became ${value}. ` +
        afterBreakdown,
      { data: { iteration, group, metric, value, last: this.#lastFinite } },
    );
  }

  setEnvironment(env: VecEnv, { seed }: { readonly seed?: number } = {}): void {
    requireSameShapes(env, this.team.env, this.team.net.mixer.needsState);
    this.team.move(requireRecordable(env), seed);
  }

  serialize(): Uint8Array {
    return encodeTeam(this.team);
  }

  restore(bytes: Uint8Array): void {
    decodeTeam(bytes, this.team);
  }

  parameterHash(): string {
    return createHash('sha256').update(bytesOf(this.team.vectors.parameters)).digest('hex');
  }

  policies(): ExportedPolicy[] {
    const { net, env, vectors, config } = this.team;
    return net.groups.map((group) => ({
      group: group.name,
      onnx: exportQNetwork(net, group, vectors.parameters, env.manifest, config),
    }));
  }

  dispose(): Promise<void> {
    return this.team.dispose();
  }
}

/** Throws: RangeError for a batch whose states cannot be read out. */
export function requireRecordable(env: VecEnv): RecordableEnv {
  if (isRecordable(env)) return env;
  throw new RangeError(
    `learners with a replay keep the simulator's state, which copies of "${env.spec.scenario}" do not give out`,
  );
}

/** Means over the gradient steps of one iteration, as `losses/x`; empty when there was none. */
export class MeanLosses {
  readonly #sums = new Map<string, number>();
  #count = 0;

  add(statistics: ValueStatistics): void {
    this.#count++;
    for (const [name, value] of Object.entries(statistics)) {
      this.#sums.set(name, (this.#sums.get(name) ?? 0) + value);
    }
  }

  summary(): MetricValue[] {
    return [...this.#sums].map(([name, sum]) => ({ key: `losses/${name}`, value: sum / this.#count }));
  }
}
