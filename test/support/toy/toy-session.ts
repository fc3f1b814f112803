import {
  type RoundReport,
  type SeriesPoint,
  type TrainerCommand,
  type TrainerDependencies,
  type TrainerEvent,
  type TrainerInit,
  type TrainerReady,
  TrainerSession,
  type TrialResult,
} from '../../../src/engine/train/index.ts';
import type { EnvironmentSpec } from '../../../src/shared/rl/vec-env.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { toyDependencies, toyLearners } from './toy-learner.ts';

type WithoutId<C> = C extends TrainerCommand ? Omit<C, 'id'> : never;

export function toySpec(bias = 0): EnvironmentSpec {
  return { scenario: 'toy', parameters: { bias }, program: null, scripted: {} };
}

export function toyInit(directory: string, changes: Partial<TrainerInit> = {}): TrainerInit {
  return {
    runId: 'run',
    seed: 7,
    learner: toyLearners.defaults.ippo,
    objective: { metric: 'episode_return', group: 'agent', environment: toySpec(), episodes: 16 },
    evaluateEverySteps: 60,
    totalSteps: 400,
    directory,
    checkpoint: null,
    checkpointEveryMs: 1e9,
    ...changes,
  };
}

/** A session without a process: commands in, answers as promises, reports kept. */
export class SessionProbe {
  readonly session: TrainerSession;
  readonly events: TrainerEvent[] = [];
  #lastId = 0;
  readonly #waiting = new Map<number, PromiseWithResolversLike>();
  onReport: (event: TrainerEvent) => void = () => {};

  constructor(deps: Partial<TrainerDependencies> = {}) {
    this.session = new TrainerSession({ ...toyDependencies, ...deps }, (event) => this.#take(event));
  }

  send(command: WithoutId<TrainerCommand>): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.session.handle({ ...command, id } as TrainerCommand);
    });
  }

  init(init: TrainerInit): Promise<TrainerReady> {
    return this.send({ type: 'init', init }) as Promise<TrainerReady>;
  }

  train(
    round: number,
    untilOwnSteps: number,
    { bias = 0, chargedOffset = 0, takeUp }: { bias?: number; chargedOffset?: number; takeUp?: string } = {},
  ): Promise<RoundReport> {
    const command = {
      round,
      untilOwnSteps,
      chargedOffset,
      ...(takeUp !== undefined && { takeUp }),
      environment: toySpec(bias),
      environmentIdentity: `bias ${bias}`,
    };
    return this.send({ type: 'train', ...command }) as Promise<RoundReport>;
  }

  trial(biases: readonly number[], seed = 1, steps = 40): Promise<TrialResult> {
    const environments = biases.map(toySpec);
    return this.send({ type: 'trial', environments, seed, steps, episodes: 32 }) as Promise<TrialResult>;
  }

  /** Points by sequence number; a point that came twice must be the same. */
  points(): SeriesPoint[] {
    const points: SeriesPoint[] = [];
    for (const event of this.events) {
      if (event.type !== 'metrics') continue;
      if (event.firstSequence > points.length) throw new Error(`gap before point ${event.firstSequence}`);
      points.splice(event.firstSequence, event.points.length, ...event.points);
    }
    return points;
  }

  checkpoints() {
    return this.events.flatMap((event) => (event.type === 'checkpoint' ? [event.checkpoint] : []));
  }

  #take(event: TrainerEvent): void {
    if (event.type === 'done') this.#waiting.get(event.id)?.resolve(event.result);
    else if (event.type === 'failed') this.#waiting.get(event.id)?.reject(AppError.fromPayload(event.error));
    else this.events.push(event);
    this.onReport(event);
  }
}

interface PromiseWithResolversLike {
  resolve(value: unknown): void;
  reject(error: Error): void;
}
