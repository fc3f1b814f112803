import { createVecEnv } from '../../../src/engine/sim/index.ts';
import type { Discounting, EnvironmentSpec, VecEnv } from '../../../src/shared/rl/vec-env.ts';
import type { VmProgram } from '../../../src/shared/rl/vm-program.ts';
import { StateReader, type World } from '../edl-reference/state-reader.ts';
import { type Decision, stateAfter } from './step-oracle.ts';

export interface PairOptions {
  readonly numEnvs: number;
  readonly numSteps: number;
  readonly seed: bigint;
  readonly discounting: Discounting;
  readonly trainingSteps: number;
  /** Relations that the program asks for. */
  readonly relations: ReadonlySet<string>;
}

/**
 * The batch under test, whose episodes end after `numSteps`, beside a twin whose do not and whose program stops before
 * the rewards: it passes through the same states, so the state a step led to can still be read of it where the batch has
 * begun its next episode.
 */
export class NativePair {
  readonly env: VecEnv;
  readonly #spec: EnvironmentSpec;
  readonly #twin: VecEnv;
  readonly #reader: StateReader;
  #step = 0;
  #worlds: (World | undefined)[] = [];

  constructor(
    spec: EnvironmentSpec,
    { numEnvs, numSteps, seed, discounting, trainingSteps, relations }: PairOptions,
  ) {
    this.#spec = spec;
    const options = { numEnvs, seed, firstEpisode: 0, ...discounting };
    // A program may have chosen a limit of another kind, which would stand over the length.
    const { 'episode.limit': _, ...parameters } = spec.parameters;
    const short = { ...spec, parameters: { ...parameters, 'episode.length': numSteps } };
    this.env = createVecEnv(short, options);
    this.#twin = createVecEnv({ ...spec, program: withoutOutcome(spec.program) }, options);
    this.#reader = new StateReader(spec, this.env.manifest, relations);
    this.env.setTrainingSteps(trainingSteps);
    this.env.reset(seed, 0);
  }

  get step(): number {
    return this.#step;
  }

  /** The true state of a copy as it is now. */
  world(copy: number): World {
    const known = this.#worlds[copy];
    if (known !== undefined) return known;
    this.#reader.restore(this.#twin.snapshot(copy));
    const world = this.#reader.read(this.#step);
    this.#worlds[copy] = world;
    return world;
  }

  /**
   * Whether the last step terminated a copy: what it came to is gone then, and so is what the program made of it. Asked of the
   * twin, since a program that was undefined there ended the episode of the batch in its own way.
   */
  hasTerminated(copy: number): boolean {
    return this.#twin.terminated[copy] === 1;
  }

  /** The first state of the episode that a copy of the batch has begun. */
  firstWorld(copy: number): World {
    this.#reader.restore(this.env.snapshot(copy));
    return this.#reader.read(0);
  }

  /** The state of a copy after events have happened to it. */
  worldAfter(copy: number, events: readonly Parameters<VecEnv['trigger']>[]): World {
    if (events.length === 0) return this.world(copy);
    this.#reader.restore(this.#twin.snapshot(copy));
    for (const [, event, options] of events) this.#reader.env.trigger(0, event, options);
    return this.#reader.read(this.#step);
  }

  /** The state that a copy has to come to: the reference's decision, carried out by a program that decides nothing. */
  worldFrom(copy: number, decision: Decision, actions: Int32Array): World {
    const { numAgents } = this.env;
    const own = actions.slice(copy * numAgents, (copy + 1) * numAgents);
    const after = stateAfter(
      { spec: this.#spec, manifest: this.env.manifest },
      this.#twin.snapshot(copy),
      decision,
      own,
    );
    this.#reader.restore(after);
    return this.#reader.read(this.#step + 1);
  }

  /** Steps both. */
  advance(actions: Int32Array): void {
    this.env.step(actions);
    this.#twin.step(actions);
    this.#step++;
    this.#worlds = [];
  }

  dispose(): void {
    this.env.dispose();
    this.#twin.dispose();
    this.#reader.dispose();
  }
}

/** The sections of a program up to the physics. */
function withoutOutcome(program: VmProgram | null): VmProgram | null {
  if (program === null) return null;
  const { control, npc, rules } = program.sections;
  return {
    ...program,
    code: program.code.slice(0, 5 * (control + npc + rules)),
    sections: { control, npc, rules, rewards: 0, potentials: 0, metrics: 0 },
    components: [],
    metrics: [],
  };
}
