import { scenarioManifest as manifestSchema, type ScenarioManifest } from '../../shared/rl/manifest.ts';
import type { EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import { addonMismatch, binding } from './binding.ts';
import { nativeCall } from './native-call.ts';

/** Names of the built-in scenarios and of those from libraries, sorted. Throws: sim.addonMissing, scenario.badLibrary. */
export function scenarioNames(): string[] {
  return binding().scenarioNames();
}

/**
 * Loads a shared library of scenarios for the life of the process and gives the names of its scenarios.
 * Throws: scenario.badLibrary where there is no such file, it is none, it was built for another version, or a manifest in it
 * contradicts itself; sim.addonMissing.
 */
export function loadScenarioLibrary(path: string): string[] {
  return nativeCall(() => binding().loadScenarioLibrary(path));
}

/** Manifests read so far. They are constant in a build, and the language asks for one at every keystroke. */
const manifests = new Map<string, ScenarioManifest>();
const maxManifests = 256;

/**
 * The capability manifest of a scenario under the given parameters; those not named keep their defaults.
 * Equal arguments give the same frozen object for a while, so that users can keep indexes by it.
 * Throws: scenario.unknown, scenario.invalidParameter (unknown name, out of bounds, not whole), sim.addonMissing.
 */
export function scenarioManifest(
  name: string,
  parameters: Readonly<Record<string, number>> = {},
): ScenarioManifest {
  const given = Object.entries(parameters).map(([key, value]) => `${key}=${value}`);
  const key = [name, ...given.sort()].join('\n');
  const known = manifests.get(key);
  if (known !== undefined) return known;
  const json = nativeCall(() => binding().scenarioManifest(name, parameters));
  const manifest = deepFreeze(readManifest(name, json));
  const [oldest] = manifests.keys();
  if (manifests.size >= maxManifests && oldest !== undefined) manifests.delete(oldest);
  manifests.set(key, manifest);
  return manifest;
}

/** The simulator writes manifests itself, also those of libraries: one that does not fit is of another state of this code. */
export function readManifest(name: string, json: string): ScenarioManifest {
  const read = manifestSchema.safeParse(JSON.parse(json));
  if (read.success) return read.data;
  const place = read.error.issues[0]?.path.join('.') ?? '';
  throw addonMismatch(`its manifest of ${name} differs at "${place}"`);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  return value;
}

/**
 * Checks everything of an environment that the simulator would refuse: scenario, parameters, program, scripted groups.
 * Throws: scenario.unknown, scenario.invalidParameter, vm.badProgram, input.invalid, sim.addonMissing.
 */
export function verifyProgram(spec: EnvironmentSpec): void {
  nativeCall(() => binding().verifySpec(spec));
}
