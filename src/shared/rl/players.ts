import type { ScenarioManifest } from './manifest.ts';

/** In place of a policy's name: the group learns, although a built-in policy plays it where nobody says otherwise. */
export const learns = 'learner';

/**
 * Who plays the groups that do not learn: the environment's npc declarations (`scripted`), the opponents somebody
 * names, which win, and for the rest the built-in policy that the scenario has for a group, if any. What `learns` in
 * the opponents is in nobody's hands.
 */
export function playersOf(
  { groups }: Pick<ScenarioManifest, 'groups'>,
  scripted: Readonly<Record<string, string>>,
  opponents: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const usual = groups.flatMap(({ name, defaultScripted }) =>
    defaultScripted === null ? [] : [[name, defaultScripted] as const],
  );
  const named = { ...Object.fromEntries(usual), ...scripted, ...opponents };
  return Object.fromEntries(Object.entries(named).filter(([, player]) => player !== learns));
}
