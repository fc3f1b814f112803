import { learns, playersOf } from '../../shared/rl/players.ts';
import type { EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import type { CompiledEnvironment } from '../edl/types.ts';
import { type Path, suggest } from '../yaml/index.ts';
import type { ArmSpec, EnvironmentSource } from './experiment-types.ts';
import type { CheckContext } from './load-environment.ts';

/** An environment with the built-in policies that play groups of it. */
export function specWithPlayers(
  { spec, manifest }: Pick<CompiledEnvironment, 'spec' | 'manifest'>,
  opponents: Readonly<Record<string, string>>,
): EnvironmentSpec {
  return { ...spec, scripted: playersOf(manifest, spec.scripted, opponents) };
}

/** Whether opponents name groups and policies that there are, and leave a group to learn. */
export function checkOpponents(
  context: CheckContext,
  opponents: Readonly<Record<string, string>>,
  { manifest, spec, name: environment }: CompiledEnvironment,
  place: Path,
): void {
  for (const [name, policy] of Object.entries(opponents)) {
    const group = manifest.groups.find((each) => each.name === name);
    if (group === undefined) {
      const names = manifest.groups.map((each) => each.name);
      context.report([...place, name], `no group "${name}" in ${manifest.name}${suggest(name, names)}`);
    } else if (Object.hasOwn(spec.scripted, name)) {
      context.report(
        [...place, name],
        `group "${name}" is controlled by npc declarations of environment "${environment}": take it out of the opponents, or ` +
          'the declarations out of the environment',
      );
    } else if (policy !== learns && !group.scripted.includes(policy)) {
      const reason = group.scripted.length === 0 ? ': it has none' : suggest(policy, group.scripted);
      context.report([...place, name], `group "${name}" has no built-in policy "${policy}"${reason}`);
    }
  }
  const scripted = playersOf(manifest, spec.scripted, opponents);
  if (manifest.groups.every((group) => Object.hasOwn(scripted, group.name))) {
    context.report(place, `every group of ${manifest.name} is scripted: nothing is left to learn`);
  }
}

/** A group that nobody trains has somebody to play it where the objective is measured. */
export function checkPlayers(
  { file, report }: CheckContext,
  arm: ArmSpec,
  objective: EnvironmentSource,
  place: Path,
): void {
  const trained = arm.environment.compiled;
  const here = playersOf(trained.manifest, trained.spec.scripted, file.opponents);
  const measured = objective.compiled;
  const given = { ...file.opponents, ...measured.spec.scripted };
  const there = playersOf(measured.manifest, given, file.objective.opponents);
  for (const group of Object.keys(here)) {
    if (Object.hasOwn(there, group)) continue;
    report(
      [...place, 'environment'],
      `group "${group}" does not learn in arm "${arm.name}", and nobody plays it in the objective's environment: name a ` +
        `policy for it in "objective.opponents", or give the objective's environment the same npc declarations`,
    );
  }
}
