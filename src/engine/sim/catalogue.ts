import { scenarioManifest as manifestSchema, type ScenarioManifest } from '../../shared/rl/manifest.ts';
import type { EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import { binding } from './binding.ts';
import { nativeCall } from './native-call.ts';

/** Names of the built-in scenarios, sorted. Throws: sim.addonMissing. */
export function scenarioNames(): string[] {
  return binding().scenarioNames();
}

/**
 * The capability manifest of a scenario under the given parameters; those not named keep their defaults.
 * Throws: scenario.unknown, scenario.invalidParameter (unknown name, out of bounds, not whole), sim.addonMissing.
 */
export function scenarioManifest(
  name: string,
  parameters: Readonly<Record<string, number>> = {},
): ScenarioManifest {
  const json = nativeCall(() => binding().scenarioManifest(name, parameters));
  return manifestSchema.parse(JSON.parse(json));
}

/**
 * Checks everything of an environment that the simulator would refuse: scenario, parameters, program, scripted groups.
 * Throws: scenario.unknown, scenario.invalidParameter, vm.badProgram, input.invalid, sim.addonMissing.
 */
export function verifyProgram(spec: EnvironmentSpec): void {
  nativeCall(() => binding().verifySpec(spec));
}
