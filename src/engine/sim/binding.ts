import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { opcodeRows } from '../../shared/generated/opcodes.ts';
import type { Frame, FrameDetail } from '../../shared/rl/frame.ts';
import type { PlaybackBuffers } from '../../shared/rl/playback.ts';
import { scenariosVariable } from '../../shared/rl/scenario-libraries.ts';
import type { Discounting, EnvironmentSpec, TrapRecord, VecEnvBuffers } from '../../shared/rl/vec-env.ts';
import { AppError } from '../../shared/std/app-error.ts';

/**
 * What build/Release/gymwright.node exports: the same names in the same order as native/addon/module.cpp. Each throws
 * TypeError or RangeError naming the argument, or an Error whose `code` is one of the product's error codes.
 */
export interface Binding {
  scenarioNames(): string[];
  /** Names of the scenarios in the shared library at `path`. */
  loadScenarioLibrary(path: string): string[];
  /** The manifest as JSON. */
  scenarioManifest(name: string, parameters: Readonly<Record<string, number>>): string;
  /** Name and operands of every opcode that it executes, as in `opcodeRows`. */
  opcodeRows(): string[];
  verifySpec(spec: EnvironmentSpec): void;
  trace(
    name: string,
    parameters: Readonly<Record<string, number>>,
    placement: NativePlacement,
    actions: readonly (readonly number[])[],
  ): NativeTraceStep[];
  readonly NativeVecEnv: new (
    spec: EnvironmentSpec,
    options: NativeOptions,
    buffers: VecEnvBuffers,
  ) => NativeVecEnv;
  readonly NativePlayback: new (
    spec: EnvironmentSpec,
    options: Discounting & Pick<NativeOptions, 'numEnvs'>,
    buffers: PlaybackBuffers,
  ) => NativePlayback;
}

export interface NativeOptions extends Discounting {
  readonly numEnvs: number;
  readonly seed: bigint;
  readonly firstEpisode: number;
  readonly continuousActions: boolean;
}

export interface NativePlacement {
  readonly agents: readonly (readonly number[])[];
  readonly landmarks: readonly (readonly number[])[];
  /** What else the scenario draws at the start of an episode, by name. */
  readonly values: Readonly<Record<string, readonly number[]>>;
}

export interface NativeTraceStep {
  /** [A][2] each. */
  readonly pos: number[][];
  readonly vel: number[][];
  /** [A]. */
  readonly reward: number[];
  /** [A][width of the agent's group]. */
  readonly obs: number[][];
}

/** A frame whose regime is an index into those of the program, or -1. */
export type NativeFrame = Omit<Frame, 'regime'> & { readonly regime: number };

/** Methods of native/addon/vec_env_wrap.cpp, in the same order. */
export interface NativeVecEnv {
  reset(seed: bigint, firstEpisode: number): void;
  step(actions: Int32Array): void;
  stepContinuous(actions: Float32Array): void;
  setTrainingSteps(steps: number): void;
  setShapingWeights(weights: Float64Array): void;
  stateWords(): number;
  copyStates(out: Float64Array): void;
  copyFinalStates(out: Float64Array): void;
  snapshot(env: number): Uint8Array;
  restore(env: number, snapshot: Uint8Array): void;
  probe(): Float64Array;
  frame(env: number, detail: Required<FrameDetail>): NativeFrame;
  finalFrame(env: number, detail: Required<FrameDetail>): NativeFrame;
  trigger(env: number, event: number, amount: number, entity: number, key: number): void;
  stateHash(): string;
  takeFireCounts(): Float64Array;
  startProfile(): void;
  takeProfile(): Float64Array;
  takeTraps(): TrapRecord[];
  dispose(): void;
}

/** Methods of native/addon/playback_wrap.cpp, in the same order. */
export interface NativePlayback {
  begin(first: Float64Array, seeds: BigUint64Array, episodes: Float64Array): void;
  step(next: Float64Array, base: Float32Array, ended: Uint8Array): void;
  setTrainingSteps(steps: number): void;
  setShapingWeights(weights: Float64Array): void;
  frame(env: number, detail: Required<FrameDetail>): NativeFrame;
  dispose(): void;
}

/** Names of Binding, for the test that compares them with the addon. */
export const bindingNames = [
  'scenarioNames',
  'loadScenarioLibrary',
  'scenarioManifest',
  'opcodeRows',
  'verifySpec',
  'trace',
  'NativeVecEnv',
  'NativePlayback',
] as const satisfies readonly (keyof Binding)[];

/** Names of NativeVecEnv's methods, likewise. */
export const nativeVecEnvNames = [
  'reset',
  'step',
  'stepContinuous',
  'setTrainingSteps',
  'setShapingWeights',
  'stateWords',
  'copyStates',
  'copyFinalStates',
  'snapshot',
  'restore',
  'probe',
  'frame',
  'finalFrame',
  'trigger',
  'stateHash',
  'takeFireCounts',
  'startProfile',
  'takeProfile',
  'takeTraps',
  'dispose',
] as const satisfies readonly (keyof NativeVecEnv)[];

/** Names of NativePlayback's methods, likewise. */
export const nativePlaybackNames = [
  'begin',
  'step',
  'setTrainingSteps',
  'setShapingWeights',
  'frame',
  'dispose',
] as const satisfies readonly (keyof NativePlayback)[];

const addonPath = join('build', 'Release', 'gymwright.node');
const buildCommand = 'npm run build:native';

/** The addon lies in the project's root, above both src/engine/sim and the bundles in out/main. */
function findAddon(start: string): string | null {
  for (let folder = start; ; folder = dirname(folder)) {
    const candidate = join(folder, addonPath);
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) return null;
  }
}

/**
 * Loads the addon found above `start`.
 * Throws: sim.addonMissing where it was not built or cannot be loaded, sim.addonMismatch where it is of another version.
 */
export function openBinding(start: string): Binding {
  const file = findAddon(start);
  if (file === null) {
    throw new AppError(
      'sim.addonMissing',
      `the native simulator ${addonPath} is not built: run \`${buildCommand}\` in the project's folder (it needs CMake and a C++20 compiler)`,
    );
  }
  const module: { exports: unknown } = { exports: {} };
  try {
    process.dlopen(module, file);
  } catch (cause) {
    throw new AppError(
      'sim.addonMissing',
      `the native simulator ${file} cannot be loaded (${cause instanceof Error ? cause.message : String(cause)}): build it again with \`${buildCommand}\``,
      { cause, data: { file } },
    );
  }
  return requireExports(module.exports as Readonly<Record<string, unknown>>);
}

/** The compiled part and this code were built from different states of the sources. */
export function addonMismatch(difference: string): AppError {
  return new AppError(
    'sim.addonMismatch',
    `the native simulator and this program were built from different states of the sources (${difference}): run \`npm run build\` in the project's folder`,
  );
}

/** Throws: sim.addonMismatch for an addon that does not export what this code calls, or means other opcodes. */
export function requireExports(addon: Readonly<Record<string, unknown>>): Binding {
  const missing = bindingNames.find((name) => typeof addon[name] !== 'function');
  if (missing !== undefined) throw addonMismatch(`it has no ${missing}`);
  requireMethods(addon.NativeVecEnv, nativeVecEnvNames, 'batches');
  requireMethods(addon.NativePlayback, nativePlaybackNames, 'playbacks');
  const opened = addon as unknown as Binding;
  checkOpcodes(opened.opcodeRows());
  return opened;
}

function requireMethods(made: unknown, names: readonly string[], things: string): void {
  const { prototype } = made as { prototype: Readonly<Record<string, unknown>> };
  const method = names.find((name) => typeof prototype[name] !== 'function');
  if (method !== undefined) throw addonMismatch(`its ${things} have no ${method}`);
}

/** Programs are compiled to numbers: a table in another order would run something else, and verify. */
function checkOpcodes(theirs: readonly string[]): void {
  const length = Math.max(opcodeRows.length, theirs.length);
  for (let code = 0; code < length; code++) {
    if (theirs[code] === opcodeRows[code]) continue;
    throw addonMismatch(
      `its opcode ${code} is "${theirs[code] ?? 'none'}", here it is "${opcodeRows[code] ?? 'none'}"`,
    );
  }
}

/** A shared library that was loaded, and the scenarios that it added. */
export interface ScenarioLibrary {
  readonly path: string;
  readonly scenarios: readonly string[];
}

/** Loads the libraries that `list` names, separated as in PATH. Throws: scenario.badLibrary. */
export function loadLibraries(addon: Binding, list: string | undefined): ScenarioLibrary[] {
  const paths = (list ?? '').split(delimiter).filter((part) => part !== '');
  return paths.map((path) => {
    try {
      return { path, scenarios: addon.loadScenarioLibrary(path) };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new AppError('scenario.badLibrary', `${reason} (${scenariosVariable} names it)`, {
        cause,
        data: { path },
      });
    }
  });
}

let loaded: Binding | null = null;
let libraries: readonly ScenarioLibrary[] = [];

/**
 * The addon, loaded on first use together with the scenario libraries that GYMWRIGHT_SCENARIOS names.
 * Throws: sim.addonMissing, scenario.badLibrary.
 */
export function binding(): Binding {
  if (loaded !== null) return loaded;
  const addon = openBinding(import.meta.dirname);
  libraries = loadLibraries(addon, process.env[scenariosVariable]);
  loaded = addon;
  return loaded;
}

/** The libraries that GYMWRIGHT_SCENARIOS names. Throws: sim.addonMissing, scenario.badLibrary. */
export function scenarioLibraries(): readonly ScenarioLibrary[] {
  binding();
  return libraries;
}
