import type { ScenarioManifest } from '../../../shared/rl/manifest.ts';
import type { DeclarationKindName } from '../types.ts';

/** What new declarations are called where a model cannot be held to the same free name twice. */
const words: Partial<Readonly<Record<DeclarationKindName, readonly string[]>>> = {
  rule: ['slow_down', 'speed_up', 'weaken', 'strengthen', 'hold_back', 'encourage'],
  reward: ['approach', 'keep_close', 'keep_apart', 'cover_ground', 'hold_position', 'make_progress'],
  constraint: ['no_crowding', 'keep_distance', 'stay_near', 'stay_calm'],
  event: ['relief', 'surprise', 'setback', 'change_of_scene'],
  npc: ['guardian', 'hunter', 'wanderer', 'defender'],
  regime: ['calm', 'pressure', 'ambush', 'recovery'],
  metric: ['closeness', 'pace', 'presence', 'balance'],
  issue: ['stuck', 'scattered', 'one_sided', 'too_slow'],
  stage: ['easy', 'medium', 'hard', 'full'],
};

/** A few free names for new declarations of a kind: none of the manifest's, none that is taken. */
export function newNames(
  kind: DeclarationKindName,
  manifest: ScenarioManifest,
  taken: Iterable<string>,
): string[] {
  const { components, metrics, sets, signals } = manifest;
  const used = new Set(taken);
  for (const { name } of [...components, ...metrics, ...sets, ...signals]) used.add(name);
  return (words[kind] ?? []).map((word) => {
    let name = word;
    for (let i = 2; used.has(name); i++) name = `${word}_${i}`;
    return name;
  });
}
