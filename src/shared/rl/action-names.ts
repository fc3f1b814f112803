import type { ManifestGroup } from './manifest.ts';

/** What every agent does, by name. Shape: actions [A] i32. */
export function actionNames(groups: readonly ManifestGroup[], actions: Int32Array): string[] {
  return groups.flatMap(({ firstAgent, agents, actionNames: names }) =>
    agents.map((_, index) => names[actions[firstAgent + index] ?? -1] ?? `${actions[firstAgent + index]}`),
  );
}
