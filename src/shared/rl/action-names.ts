import type { ManifestGroup } from './manifest.ts';
import type { EnvironmentSpec } from './vec-env.ts';

/**
 * What every agent does, by name; empty where a built-in policy or npc declarations play it, since nobody is told.
 * Shape: actions [A] i32.
 */
export function actionNames(
  groups: readonly ManifestGroup[],
  { scripted }: Pick<EnvironmentSpec, 'scripted'>,
  actions: Int32Array,
): string[] {
  return groups.flatMap(({ name, firstAgent, agents, actionNames: names }) =>
    agents.map((_, index) => {
      const action = actions[firstAgent + index] ?? -1;
      return Object.hasOwn(scripted, name) ? '' : (names[action] ?? `${action}`);
    }),
  );
}
