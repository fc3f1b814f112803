import { setImmediate } from 'node:timers/promises';
import type { EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import type { VmDeclaration } from '../../shared/rl/vm-program.ts';
import { type AddonVecEnv, openVecEnv } from './create-vec-env.ts';
import { randomActions } from './random-actions.ts';

/** Stepping goes on this long before other work of the thread gets its turn. */
const sliceMs = 10;
/** Distinct batches of actions that a measurement cycles through. */
const numActionBatches = 16;
/** Share of the time that goes into finding out which declaration takes how much of it. */
const profileShare = 0.2;

/** What one declaration costs. */
export interface DeclarationCost {
  readonly kind: VmDeclaration['kind'];
  readonly name: string;
  readonly instances: number;
  /** Of its own instructions, per env-step. */
  readonly nanoseconds: number;
}

/** What a program costs, besides the scenario under the same parameters. */
export interface ProgramCost {
  readonly plainStepsPerSecond: number;
  /** Per env-step. */
  readonly addedNanoseconds: number;
  readonly declarations: readonly DeclarationCost[];
  /** Per env-step: what declarations share, such as reading the state, distances, folding effects, summing rewards. */
  readonly sharedNanoseconds: number;
}

export interface MeasuredSpeed {
  readonly stepsPerSecond: number;
  readonly copies: number;
  /** Of one copy. */
  readonly agents: number;
  readonly threads: number;
  /** null: the environment has no program. */
  readonly program: ProgramCost | null;
}

/**
 * Steps copies of an environment with random actions, observations included, for about `seconds` on this thread, in
 * slices between which other work gets its turn; only the slices are timed. Where the environment has a program, slices
 * with and without it take turns, so that what else the machine does weighs on both; the figures are medians over them.
 * Units: an env-step is one step of one copy.
 * Throws: what createVecEnv throws; RangeError for seconds that are not positive.
 */
export async function measureSpeed(options: {
  spec: EnvironmentSpec;
  numEnvs: number;
  seconds: number;
}): Promise<MeasuredSpeed> {
  const { spec, numEnvs, seconds } = options;
  if (!(seconds > 0)) throw new RangeError(`seconds must be positive, not ${seconds}`);
  const whole = new Stepper(spec, numEnvs);
  const plain = spec.program === null ? null : new Stepper(withoutProgram(spec), numEnvs);
  try {
    const contenders = plain === null ? [whole] : [whole, plain];
    await takeTurns(contenders, seconds * (plain === null ? 1 : 1 - profileShare));
    const program = plain === null ? null : await costOf(whole, plain, seconds * profileShare);
    const agents = whole.env.numAgents;
    return { stepsPerSecond: 1e9 / whole.nanoseconds, copies: numEnvs, agents, threads: 1, program };
  } finally {
    whole.dispose();
    plain?.dispose();
  }
}

/** Groups that the program's behaviours play act at random there. */
function withoutProgram(spec: EnvironmentSpec): EnvironmentSpec {
  const scripted = Object.entries(spec.scripted).filter(([, policy]) => policy !== 'npc');
  return { ...spec, program: null, scripted: Object.fromEntries(scripted) };
}

async function takeTurns(contenders: readonly Stepper[], seconds: number): Promise<void> {
  let elapsedMs = 0;
  while (elapsedMs < seconds * 1000) {
    for (const each of contenders) {
      await setImmediate();
      elapsedMs += each.stepForSlice();
    }
  }
}

async function costOf(whole: Stepper, plain: Stepper, seconds: number): Promise<ProgramCost> {
  const addedNanoseconds = whole.nanoseconds - plain.nanoseconds;
  const profiled = new Stepper(whole.env.spec, whole.env.numEnvs);
  try {
    profiled.env.startProfile();
    await takeTurns([profiled], seconds);
    const perStep = Array.from(profiled.env.takeProfile(), (total) => total / profiled.envSteps);
    const declarations = (whole.env.spec.program?.declarations ?? []).map(
      ({ kind, name, instances }, index) => ({ kind, name, instances, nanoseconds: perStep[index] ?? 0 }),
    );
    const own = perStep.reduce((sum, each) => sum + each, 0);
    return {
      plainStepsPerSecond: 1e9 / plain.nanoseconds,
      addedNanoseconds,
      declarations,
      sharedNanoseconds: addedNanoseconds - own,
    };
  } finally {
    profiled.dispose();
  }
}

/** Steps one batch in slices and keeps what each took. */
class Stepper {
  readonly env: AddonVecEnv;
  envSteps = 0;
  readonly #batches: readonly Int32Array[];
  readonly #slices: number[] = [];
  #stepped = 0;

  constructor(spec: EnvironmentSpec, numEnvs: number) {
    this.env = openVecEnv(spec, { numEnvs, seed: 1n, firstEpisode: 0 });
    const fewest = Math.min(...this.env.manifest.groups.map((group) => group.numActions));
    this.#batches = Array.from({ length: numActionBatches }, (_, i) =>
      randomActions(numEnvs * this.env.numAgents, fewest, i),
    );
    for (const actions of this.#batches) this.env.step(actions);
  }

  /** Median over slices, per env-step. */
  get nanoseconds(): number {
    const sorted = [...this.#slices].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  }

  /** Gives the milliseconds it took. A million copies take longer than a slice for one step: then a slice is one step. */
  stepForSlice(): number {
    const start = performance.now();
    let batchSteps = 0;
    let elapsedMs = 0;
    while (elapsedMs < sliceMs) {
      this.env.step(this.#batches[this.#stepped++ % numActionBatches] as Int32Array);
      batchSteps++;
      elapsedMs = performance.now() - start;
    }
    this.envSteps += batchSteps * this.env.numEnvs;
    this.#slices.push((elapsedMs * 1e6) / (batchSteps * this.env.numEnvs));
    return elapsedMs;
  }

  dispose(): void {
    this.env.dispose();
  }
}
