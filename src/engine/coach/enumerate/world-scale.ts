import type { ScenarioManifest } from '../../../shared/rl/manifest.ts';

/** What is near, and what is much, in a scenario: templates say both as multiples of these. */
export interface WorldScale {
  /** Metres: half the width of the field, to one digit. */
  readonly length: number;
  /** Reward that a step usually brings an agent, as a power of ten. */
  readonly reward: number;
}

/** Half the width of particle worlds, which have no edges, in m. */
const usualLength = 1;

export function worldScale({ attributes, nominalReturn, episodeLength }: ScenarioManifest): WorldScale {
  // Where a field has no edges its bounds are nominal and say nothing about where agents are.
  const across = attributes.find(({ name, kind, nominal }) => name === 'x' && kind === 'agent' && !nominal);
  const half = across === undefined ? usualLength : (across.max - across.min) / 2;
  const perStep = nominalReturn / episodeLength;
  return {
    length: Number.isFinite(half) && half > 0 ? Number(half.toPrecision(1)) : usualLength,
    reward: perStep > 0 && Number.isFinite(perStep) ? 10 ** Math.round(Math.log10(perStep)) : 1,
  };
}
