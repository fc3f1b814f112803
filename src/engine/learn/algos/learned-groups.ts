import type { ManifestGroup } from '../../../shared/rl/manifest.ts';
import type { VecEnv } from '../../../shared/rl/vec-env.ts';

/** Groups that learn: all but those a built-in policy plays. */
export function learnedGroups(env: Pick<VecEnv, 'manifest' | 'spec'>): ManifestGroup[] {
  return env.manifest.groups.filter((group) => env.spec.scripted[group.name] === undefined);
}

/** Throws: RangeError when a batch cannot take the place of `before`. */
export function requireSameShapes(env: VecEnv, before: VecEnv, hasState = false): void {
  if (env.numEnvs !== before.numEnvs) {
    throw new RangeError(`the new environment has ${env.numEnvs} copies instead of ${before.numEnvs}`);
  }
  const [now, then] = [describeShapes(env, hasState), describeShapes(before, hasState)];
  if (now !== then) throw new RangeError(`the new environment has other shapes: ${now} instead of ${then}`);
}

/** Learned groups with their shapes, and that of the state where it is seen, as text: equal texts fit the same networks. */
export function describeShapes(env: VecEnv, hasState = false): string {
  const groups = learnedGroups(env).map(
    ({ name, firstAgent, agents, obsDim, numActions }) =>
      `${name}[${firstAgent}+${agents.length}] obs ${obsDim} actions ${numActions}`,
  );
  const state = hasState ? `; state ${env.stateDim}` : '';
  return `${env.numAgents} agents; ${groups.join('; ')}${state}`;
}
