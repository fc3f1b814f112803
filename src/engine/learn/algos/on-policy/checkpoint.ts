import type { OnPolicyConfig } from '../../../shared/rl/learner-config.ts';
import type { VecEnv } from '../../../shared/rl/vec-env.ts';
import { CounterRng, type RngState } from '../../../shared/std/rng.ts';
import {
  bad,
  bytesOf,
  type Checkpoint,
  decodeCheckpoint,
  encodeCheckpoint,
  readArray,
} from '../data/checkpoint.ts';
import type { IppoGroup } from './ippo-group.ts';
import { describeShapes } from './learned-groups.ts';

const vectorNames = ['parameters', 'firstMoment', 'secondMoment'] as const;

export interface LearnerCounters {
  readonly trainedSteps: number;
  /** The first episode of the stream that no copy has begun. */
  readonly nextEpisode: number;
}

interface LearnerHeader extends LearnerCounters {
  readonly streams: readonly { readonly act: RngState; readonly permute: RngState }[];
  readonly snapshotLengths: readonly number[];
}

/** Per group: parameters, Adam moments and step, value normalisation. */
export function encodeBranch(groups: readonly IppoGroup[], config: OnPolicyConfig): Uint8Array {
  return encodeCheckpoint({
    header: { kind: 'branch', hidden: config.hidden, adamSteps: groups.map((group) => group.adam.step) },
    blobs: new Map(groups.flatMap(groupBlobs)),
  });
}

/** Throws: learner.badCheckpoint, before anything is changed. */
export function decodeBranch(bytes: Uint8Array, groups: readonly IppoGroup[], config: OnPolicyConfig): void {
  const checkpoint = decodeCheckpoint(bytes);
  requireEqual(checkpoint, 'kind', 'branch');
  requireEqual(checkpoint, 'hidden', config.hidden);
  for (const apply of readGroups(checkpoint, groups)) apply();
}

/** The branch's content plus random streams, counters and the copies. */
export function encodeLearner(
  groups: readonly IppoGroup[],
  config: OnPolicyConfig,
  counters: LearnerCounters,
  env: VecEnv,
): Uint8Array {
  const snapshots = Array.from({ length: env.numEnvs }, (_, e) => env.snapshot(e));
  const header: LearnerHeader = {
    ...counters,
    streams: groups.map(({ actRng, permuteRng }) => ({ act: actRng.state, permute: permuteRng.state })),
    snapshotLengths: snapshots.map((snapshot) => snapshot.byteLength),
  };
  const adamSteps = groups.map((group) => group.adam.step);
  return encodeCheckpoint({
    header: { kind: 'learner', config, shapes: describeShapes(env), adamSteps, ...header },
    blobs: new Map([...groups.flatMap(groupBlobs), ['copies', join(snapshots)]]),
  });
}

/** Returns the counters. Throws: learner.badCheckpoint, before anything is changed; sim.badSnapshot. */
export function decodeLearner(
  bytes: Uint8Array,
  groups: readonly IppoGroup[],
  config: OnPolicyConfig,
  env: VecEnv,
): LearnerCounters {
  const checkpoint = decodeCheckpoint(bytes);
  requireEqual(checkpoint, 'kind', 'learner');
  requireEqual(checkpoint, 'config', config);
  requireEqual(checkpoint, 'shapes', describeShapes(env));
  const { trainedSteps, nextEpisode, streams, snapshotLengths } =
    checkpoint.header as unknown as LearnerHeader;
  const changes = readGroups(checkpoint, groups);
  const snapshots = cut(checkpoint.blobs.get('copies') ?? new Uint8Array(), snapshotLengths);
  if (snapshots.length !== env.numEnvs) throw bad(`it holds ${snapshots.length} copies, not ${env.numEnvs}`);
  for (const [e, snapshot] of snapshots.entries()) env.restore(e, snapshot);
  for (const apply of changes) apply();
  for (const [i, group] of groups.entries()) {
    const { act, permute } = streams[i] as LearnerHeader['streams'][number];
    group.actRng = CounterRng.from(act);
    group.permuteRng = CounterRng.from(permute);
  }
  return { trainedSteps, nextEpisode };
}

function groupBlobs({ name, adam, valueNorm }: IppoGroup): [string, Uint8Array][] {
  return [
    ...vectorNames.map((vector, i): [string, Uint8Array] => [
      `${name}/${vector}`,
      bytesOf(adam.vectors[i as 0 | 1 | 2]),
    ]),
    [`${name}/valueNorm`, bytesOf(valueNorm.state)],
  ];
}

/** Reads everything first; the functions returned put it in place. */
function readGroups(checkpoint: Checkpoint, groups: readonly IppoGroup[]): (() => void)[] {
  const steps = checkpoint.header.adamSteps as readonly number[];
  return groups.map(({ name, adam, valueNorm }, i) => {
    const [parameters, first, second] = adam.vectors.map((vector, k) =>
      readArray(checkpoint, `${name}/${vectorNames[k]}`, vector),
    ) as [Float32Array, Float32Array, Float32Array];
    const statistics = readArray(checkpoint, `${name}/valueNorm`, valueNorm.state);
    return () => {
      adam.load([parameters, first, second], steps[i] as number);
      valueNorm.state.set(statistics);
    };
  });
}

function requireEqual(checkpoint: Checkpoint, key: string, expected: unknown): void {
  const found = canonical(checkpoint.header[key]);
  if (found !== canonical(expected)) {
    throw bad(`its ${key} is ${found}, the learner's is ${canonical(expected)}`);
  }
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'missing';
  return JSON.stringify(Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))));
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

function cut(whole: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return whole.slice(end - length, end);
  });
}
