import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bindToRun, bringIntoForce, type RunSetting } from '../../src/engine/coach/in-force.ts';
import type { PlantedDefect } from '../../src/engine/coach/probe/planted-defects.ts';
import type { CoachEdl, RunSeries } from '../../src/engine/coach/types.ts';
import { applyChanges, type CompiledEnvironment, compile } from '../../src/engine/edl/index.ts';
import { createLearner, ippoDefaults } from '../../src/engine/learn/index.ts';
import { evaluatePolicies, openPolicy } from '../../src/engine/policy/index.ts';
import { createVecEnv, scenarioManifest, scenarioNames } from '../../src/engine/sim/index.ts';
import {
  type RoundReport,
  type SeriesPoint,
  type TrainerCommand,
  TrainerSession,
  type TrialBranch,
  type TrialResult,
} from '../../src/engine/train/index.ts';
import type { EnvironmentSpec } from '../../src/shared/rl/vec-env.ts';
import { AppError } from '../../src/shared/std/app-error.ts';

const host = {
  scenarioNames,
  manifest: (scenario: string, parameters: Readonly<Record<string, number>>) =>
    scenarioNames().includes(scenario) ? scenarioManifest(scenario, parameters) : null,
};

/** The language with a coach's rights. */
export const coachEdl: CoachEdl = {
  compile: (text) => compile(text, host),
  applyChanges: (text, changes) => applyChanges(text, changes, host, { author: 'coach' }),
};

/** How long a defect is trained in, and each option after it: iterations of 128 copies, 25 steps each. */
export const protocol = {
  learner: { ...ippoDefaults, numEnvs: 128, minibatchSize: 1600 },
  trainIterations: 24,
  branchIterations: 6,
  evaluations: 6,
  episodes: 512,
  seed: 1,
};

export const stepsPerIteration = protocol.learner.numEnvs * protocol.learner.numSteps;

/** A trainer of this thread that has trained in a defect, and may be asked what training in another text would come to. */
export class DefectRun {
  readonly environment: CompiledEnvironment;
  readonly edl: CoachEdl;
  readonly setting: RunSetting;
  readonly #points = new Map<string, { steps: number[]; values: number[] }>();
  readonly #directory = mkdtempSync(join(tmpdir(), 'gymwright-defect-'));
  readonly #session: TrainerSession;
  readonly #defect: PlantedDefect;
  #nextId = 0;
  #waiting: { resolve: (result: unknown) => void; reject: (error: Error) => void } | null = null;

  constructor(defect: PlantedDefect) {
    this.#defect = defect;
    this.setting = { opponents: defect.opponents, stage: null, capacities: {} };
    this.edl = bindToRun(coachEdl, this.setting);
    this.environment = this.#compiled(defect.text);
    const deps = { createVecEnv, createLearner, openPolicy, evaluate: evaluatePolicies, now: () => 0 };
    this.#session = new TrainerSession(deps, (event) => {
      if (event.type === 'metrics') this.#keep(event.points);
      else if (event.type === 'failed') this.#waiting?.reject(AppError.fromPayload(event.error));
      else if (event.type === 'done') this.#waiting?.resolve(event.result);
    });
  }

  /** Trains in the defect and reports the round. */
  async train(): Promise<RoundReport> {
    const { seed, trainIterations, evaluations, episodes, learner } = protocol;
    const total = trainIterations * stepsPerIteration;
    const environment = bringIntoForce(this.#compiled(this.#defect.objectiveText), this.setting).spec;
    const init = {
      ...{ runId: this.#defect.name, seed, learner, directory: this.#directory, checkpoint: null },
      objective: { metric: 'episode_return', group: this.#defect.group, environment, episodes },
      evaluateEverySteps: total / evaluations,
      ...{ totalSteps: 10 * total, checkpointEveryMs: Number.POSITIVE_INFINITY },
    };
    await this.#command({ type: 'init', id: this.#nextId++, init });
    const { spec, identity } = this.environment;
    return (await this.#command({
      ...{ type: 'train', id: this.#nextId++, round: 0, environment: spec, environmentIdentity: identity },
      ...{ untilOwnSteps: total, chargedOffset: 0 },
    })) as RoundReport;
  }

  /** Branches from where training stands, all with one seed. */
  async tryOut(environments: readonly EnvironmentSpec[], seed: number): Promise<readonly TrialBranch[]> {
    const { episodes } = protocol;
    const steps = this.branchSteps;
    const command = { type: 'trial', id: this.#nextId++, environments, seed, steps, episodes } as const;
    return ((await this.#command(command)) as TrialResult).branches;
  }

  get branchSteps(): number {
    return this.#defect.patience * protocol.branchIterations * stepsPerIteration;
  }

  get series(): RunSeries {
    return {
      keys: () => [...this.#points.keys()],
      history: (key) => this.#points.get(key) ?? { steps: [], values: [] },
    };
  }

  get directory(): string {
    return this.#directory;
  }

  async close(): Promise<void> {
    await this.#session.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #compiled(text: string): CompiledEnvironment {
    const { environment, diagnostics } = this.edl.compile(text);
    if (environment !== null) return environment;
    throw new Error(
      `${this.#defect.name}: ${diagnostics.map(({ code, message }) => `${code} ${message}`).join('; ')}`,
    );
  }

  #keep(points: readonly SeriesPoint[]): void {
    for (const { key, step, value } of points) {
      const known = this.#points.get(key) ?? { steps: [], values: [] };
      known.steps.push(step);
      known.values.push(value);
      this.#points.set(key, known);
    }
  }

  #command(command: TrainerCommand): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#session.handle(command);
    });
  }
}
