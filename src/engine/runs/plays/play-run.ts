import { resolve } from 'node:path';
import type { z } from 'zod';
import type { PlayedStep, PolicyPlayView, policies } from '../../../shared/contract/policies.ts';
import { actionNames } from '../../../shared/rl/action-names.ts';
import { environmentMetrics } from '../../../shared/rl/environment-metrics.ts';
import { castOf, type Frame } from '../../../shared/rl/frame.ts';
import type { ManifestGroup } from '../../../shared/rl/manifest.ts';
import { packFrames } from '../../../shared/rl/packed-frames.ts';
import type { Discounting } from '../../../shared/rl/vec-env.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { assignPolicies, EpisodeTable, openPolicy, type Policy } from '../../policy/index.ts';
import { type EpisodeMoment, playEpisode } from '../../sim/index.ts';
import type { PolicyRecord, StoreReader } from '../../store/index.ts';
import { streamSeed } from '../../train/seeds.ts';
import { readDiscounting } from '../read-discounting.ts';
import {
  type EnvironmentSources,
  type PlayedEnvironment,
  readObjectiveEnvironment,
  readTrainingEnvironment,
} from './played-environment.ts';

export interface PlaySources extends EnvironmentSources {
  /** The bytes of a policy file; `what` names it in messages. Throws: policy.invalid. */
  readonly readPolicy: (file: string, what: string) => Uint8Array;
}

type PlayArgs = z.output<(typeof policies)['play']['args']>;

/**
 * Plays one episode of a run's policies, greedily, in an environment that they trained in or are scored in. The same run, round,
 * environment, seed and episode give the same: it is that episode of an evaluation.
 *
 * Throws: store.notFound; input.notFound where no policy was exported yet, or not after that round; input.invalid and
 * experiment.invalid where an environment is another one in this version; store.corrupt; policy.invalid; run.cancelled; sim.badFrame.
 */
export async function playRun(
  sources: PlaySources,
  args: PlayArgs,
  signal?: AbortSignal,
): Promise<PolicyPlayView> {
  const { store } = sources;
  const run = store.runs.get(args.runId);
  const records = findPolicies(store, args.runId, args.round ?? null);
  const environment =
    args.environment === 'objective'
      ? readObjectiveEnvironment(sources, args.runId)
      : readTrainingEnvironment(sources, args.runId, args.trainedIn ?? null);
  const discounting = readDiscounting(run);
  const seed = args.seed === undefined ? streamSeed(run.seed, 'objective') : BigInt(args.seed);
  const opened: Record<string, Policy> = {};
  try {
    for (const { group, file, policyId } of records)
      opened[group] = await openPolicy(sources.readPolicy(resolve(sources.root, file), `policy ${policyId}`));
    const played = await follow(environment, opened, { seed, episode: args.episode, discounting, signal });
    const { kind, round, identity, manifest } = environment;
    return {
      runId: args.runId,
      round: records[0].round,
      policies: records.map(({ group, policyId, sha256 }) => ({ group, policyId, sha256 })),
      environment: { kind, round, identity },
      seed: String(seed),
      episode: args.episode,
      cast: castOf(manifest),
      agents: manifest.groups.flatMap(({ agents }) => agents),
      ...played,
    };
  } finally {
    for (const policy of Object.values(opened)) await policy.dispose();
  }
}

/** Those that were exported after a round; null: after the latest that has any. */
function findPolicies(
  store: StoreReader,
  runId: string,
  round: number | null,
): [PolicyRecord, ...PolicyRecord[]] {
  const all = store.policies.list(runId);
  const rounds = [...new Set(all.map((policy) => policy.round))].toSorted((a, b) => a - b);
  const chosen = round ?? rounds.at(-1);
  const [first, ...others] = all
    .filter((policy) => policy.round === chosen)
    .toSorted((a, b) => (a.group < b.group ? -1 : 1));
  if (first !== undefined) return [first, ...others];
  throw new AppError(
    'input.notFound',
    rounds.length === 0
      ? `run ${runId} has no policy yet: its first is exported when its first round ends`
      : `run ${runId} has no policy of round ${(round ?? 0) + 1}; there are those of ${rounds.map((each) => each + 1).join(', ')}`,
    { data: { runId, rounds } },
  );
}

interface FollowOptions {
  readonly seed: bigint;
  readonly episode: number;
  readonly discounting: Discounting;
  readonly signal: AbortSignal | undefined;
}

type Followed = Pick<PolicyPlayView, 'frames' | 'components' | 'steps' | 'paid' | 'ending' | 'groups'>;

async function follow(
  { spec, manifest }: PlayedEnvironment,
  policies: Readonly<Record<string, Policy>>,
  options: FollowOptions,
): Promise<Followed> {
  const frames: Frame[] = [];
  const steps: PlayedStep[] = [];
  const paid: Float32Array[] = [];
  const targets = (spec.program?.declarations ?? []).map(({ kind, name }) => `${kind} ${name}`);
  for await (const moment of playEpisode({
    spec,
    ...options,
    actors: (env) => assignPolicies(env, policies),
  })) {
    const { env, actions, isOver } = moment;
    const counts = env.takeFireCounts();
    if (frames.length > 0) {
      const fired = targets.map((target, i) => [target, counts[i] ?? 0] as const);
      steps.push({
        actions: actionNames(manifest.groups, spec, actions),
        fired: Object.fromEntries(fired.filter(([, count]) => count > 0)),
      });
      paid.push(env.components.slice());
    }
    frames.push(isOver ? env.finalFrame(0) : env.frame(0));
    if (!isOver) continue;
    return {
      frames: packFrames(frames),
      steps,
      components: [...env.componentNames],
      paid: joined(paid),
      ...summarise(moment, options.episode),
    };
  }
  throw new RangeError('an episode ended without its end');
}

function joined(parts: readonly Float32Array[]): PolicyPlayView['paid'] {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** What the episode came to, as an evaluation has it. */
function summarise({ env }: EpisodeMoment, episode: number): Pick<Followed, 'ending' | 'groups'> {
  const { manifest, spec } = env;
  const table = new EpisodeTable(env, 1, episode);
  table.record();
  const results = table.summarise().groups;
  const units = new Map(environmentMetrics(manifest, spec.program).map(({ name, unit }) => [name, unit]));
  const groups = manifest.groups.map(({ name }: ManifestGroup) => ({
    group: name,
    player: spec.scripted[name] ?? 'policy',
    episodeReturn: results[name]?.episodeReturn.mean ?? Number.NaN,
    metrics: Object.entries(results[name]?.metrics ?? {}).map(([metric, { mean }]) => ({
      name: metric,
      unit: units.get(metric) ?? 'none',
      value: mean,
    })),
  }));
  const isTrapped = env.takeTraps().length > 0;
  const ending = isTrapped ? 'trapped' : env.terminated[0] !== 0 ? 'terminated' : 'truncated';
  return { ending, groups };
}
