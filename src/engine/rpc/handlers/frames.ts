import type { z } from 'zod';
import type { simulator } from '../../../shared/contract/simulator.ts';
import { castOf } from '../../../shared/rl/frame.ts';
import type { ManifestGroup, ScenarioManifest } from '../../../shared/rl/manifest.ts';
import { packFrames } from '../../../shared/rl/packed-frames.ts';
import { learns } from '../../../shared/rl/players.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { openPolicy, type Policy, PolicyPlayer } from '../../policy/index.ts';
import { type EpisodeActor, playFrames, scenarioManifest } from '../../sim/index.ts';
import { type CompileSpec, specOf, withPlayers } from './environment-spec.ts';
import { readOnnx } from './policies.ts';

type FramesArgs = z.output<(typeof simulator)['frames']['args']>;
type FramesResult = z.input<(typeof simulator)['frames']['result']>;

/** Opens policy files. Throws: policy.invalid; input.invalid where two play the same group. */
async function openPolicies(files: readonly string[]): Promise<Policy[]> {
  const opened: Policy[] = [];
  const fileOf = new Map<string, string>();
  try {
    for (const file of files) {
      const policy = await openPolicy(readOnnx(file, file));
      opened.push(policy);
      const { group } = policy.metadata;
      const other = fileOf.get(group);
      if (other !== undefined) throw new AppError('input.invalid', `${other} and ${file} both play ${group}`);
      fileOf.set(group, file);
    }
    return opened;
  } catch (thrown) {
    await closeAll(opened);
    throw thrown;
  }
}

async function closeAll(policies: readonly Policy[]): Promise<void> {
  for (const policy of policies) await policy.dispose();
}

/** Throws, with the groups there are: input.invalid where there is no such group, policy.invalid for one of another scenario. */
function groupOf({ metadata }: Policy, { name: scenario, groups }: ScenarioManifest): ManifestGroup {
  const group = groups.find(({ name }) => name === metadata.group);
  if (group !== undefined && metadata.scenario === scenario) return group;
  const there = groups.map(({ name }) => name).join(', ');
  throw new AppError(
    group === undefined ? 'input.invalid' : 'policy.invalid',
    `a policy plays ${metadata.group} of ${metadata.scenario}; the groups of ${scenario} are: ${there}`,
  );
}

/**
 * Plays one episode of an environment and gives frames of it. Who plays a group: a policy, the built-in one that `play`
 * names or the scenario has for it, the environment's npc declarations; all others act at random.
 */
export async function playForFrames(args: FramesArgs, compileSpec: CompileSpec): Promise<FramesResult> {
  const { scenario, text, path, play, policies, seed, episode, from, to = null, most = null } = args;
  const written = specOf(scenario, text, compileSpec, path);
  const manifest = scenarioManifest(written.scenario, written.parameters);
  const opened = await openPolicies(policies);
  try {
    const learned = opened.map(({ metadata }) => [metadata.group, learns]);
    for (const policy of opened) groupOf(policy, manifest);
    const spec = withPlayers(written, { ...Object.fromEntries(learned), ...play });
    const frames = await playFrames({
      spec,
      seed,
      episode,
      steps: { from, to, most },
      detail: { ranges: args.ranges, sights: args.sights },
      actors: (env): EpisodeActor[] =>
        opened.map((policy) => {
          const group = groupOf(policy, manifest);
          if (spec.scripted[group.name] === undefined) return new PolicyPlayer(env, group, policy);
          throw new AppError('input.invalid', `a policy plays ${group.name}: somebody else plays it`);
        }),
    });
    return { cast: castOf(manifest), frames: packFrames(frames) };
  } finally {
    await closeAll(opened);
  }
}
