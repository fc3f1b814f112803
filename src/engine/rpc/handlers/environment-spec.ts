import { playersOf } from '../../../shared/rl/players.ts';
import type { EnvironmentSpec } from '../../../shared/rl/vec-env.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { plainSpec, scenarioManifest } from '../../sim/index.ts';

/** Compiles EDL text for the scenarios of this build. Throws edl.invalid with the first diagnostic. */
export type CompileSpec = (text: string, path?: string) => EnvironmentSpec;

/** The scenario as it is, or under a text that extends it. Throws: edl.invalid, scenario.unknown; input.invalid for a text of another one. */
export function specOf(
  scenario: string,
  text: string | undefined,
  compileSpec: CompileSpec,
  path?: string,
): EnvironmentSpec {
  if (text === undefined) return plainSpec(scenario);
  const spec = compileSpec(text, path);
  if (spec.scenario === scenario) return spec;
  throw new AppError('input.invalid', `the environment extends ${spec.scenario}, not ${scenario}`);
}

/**
 * The environment with built-in policies for groups: those that are named, and those that play where nobody says
 * otherwise. Throws input.invalid where it plays one of the named groups itself; scenario.unknown.
 */
export function withPlayers(spec: EnvironmentSpec, play: Readonly<Record<string, string>>): EnvironmentSpec {
  const group = Object.keys(play).find((name) => Object.hasOwn(spec.scripted, name));
  if (group === undefined) {
    const manifest = scenarioManifest(spec.scenario, spec.parameters);
    return { ...spec, scripted: playersOf(manifest, spec.scripted, play) };
  }
  throw new AppError(
    'input.invalid',
    `group "${group}" is controlled by npc declarations of the environment: take it out of what is played, or the ` +
      'declarations out of the environment',
  );
}
