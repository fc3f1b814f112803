import type { DescriberHost } from '../describe/index.ts';
import { compile } from '../edl/index.ts';
import { scenarioHost } from '../language/index.ts';
import { createVecEnv, scenarioManifest } from '../sim/index.ts';

/** Describers over the scenarios of this build. */
export const describerHost: DescriberHost = {
  compile: (text) => compile(text, scenarioHost),
  manifest: scenarioManifest,
  createVecEnv,
};
