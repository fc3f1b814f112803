import { ippoDefaults, mappoDefaults, onPolicyPresets, ppoDefaults } from './on-policy-presets.ts';
import type { LearnerCatalogue } from './types.ts';
import { qmixDefaults, valuePresets, vdnDefaults } from './value-presets.ts';

/** Defaults by algorithm, presets by name. */
export const learnerCatalogue: LearnerCatalogue = {
  defaults: {
    ppo: ppoDefaults,
    ippo: ippoDefaults,
    mappo: mappoDefaults,
    vdn: vdnDefaults,
    qmix: qmixDefaults,
  },
  presets: { ...onPolicyPresets, ...valuePresets },
};
