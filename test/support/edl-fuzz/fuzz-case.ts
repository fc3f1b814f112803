import { compile, type EdlHost, explain, format } from '../../../src/engine/edl/index.ts';
import { createVecEnv, scenarioManifest, scenarioNames } from '../../../src/engine/sim/index.ts';
import type { ScenarioManifest } from '../../../src/shared/rl/manifest.ts';
import { Draw } from '../edl-generator/draw.ts';

/** How far a text came. */
export type Outcome = 'refused' | 'ran';

/** Processor time that no text may take. */
export const longestMs = 1000;

const numEnvs = 2;
const numSteps = 20;

/** A host that makes each manifest once: the texts ask for the same few again and again. */
export function cachedHost(): EdlHost {
  const names = scenarioNames();
  const manifests = new Map<string, ScenarioManifest>();
  return {
    scenarioNames: () => names,
    manifest(scenario, parameters) {
      if (!names.includes(scenario)) return null;
      const key = `${scenario} ${JSON.stringify(parameters)}`;
      const known = manifests.get(key) ?? scenarioManifest(scenario, parameters);
      if (manifests.size > 500) manifests.clear();
      manifests.set(key, known);
      return known;
    },
  };
}

/**
 * Takes a text through everything that is open to it: parser, checker, lowering, the native verifier, and twenty steps; some
 * also through the formatter and the explanation.
 * Throws: where the product does anything but answer.
 */
export function fuzzCase(text: string, seed: number, host: EdlHost): Outcome {
  const { environment, diagnostics } = compile(text, host);
  const failure = diagnostics.find(({ code }) => code === 'EDL199');
  if (failure !== undefined) throw new Error(`the checker failed: ${failure.message}`);
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error');
  if (hasErrors !== (environment === null)) throw new Error('neither an environment nor an error, or both');
  if (seed % 8 === 0) formatTwice(text);
  if (seed % 8 === 1) explain(text, host);
  if (environment === null) return 'refused';
  const env = createVecEnv(environment.spec, { numEnvs, seed: BigInt(seed), firstEpisode: 0 });
  const draw = new Draw(seed);
  const { groups } = env.manifest;
  const numActions = groups.flatMap((group) => group.agents.map(() => group.numActions));
  for (let t = 0; t < numSteps; t++) {
    env.step(
      Int32Array.from({ length: numEnvs * env.numAgents }, (_, i) =>
        draw.below(numActions[i % env.numAgents] ?? 1),
      ),
    );
  }
  if (env.rewards.some((reward) => !Number.isFinite(reward))) throw new Error('a reward that is not finite');
  env.takeTraps();
  env.restore(0, env.snapshot(1));
  env.dispose();
  return 'ran';
}

function formatTwice(text: string): void {
  const once = format(text);
  if (!('text' in once)) return;
  const twice = format(once.text);
  if (!('text' in twice) || twice.text !== once.text) throw new Error('formatting is not idempotent');
}
