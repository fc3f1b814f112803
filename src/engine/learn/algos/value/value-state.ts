import type { ValueConfig } from '../../../../shared/rl/learner-config.ts';
import type { RngState } from '../../../../shared/std/rng.ts';
import {
  bad,
  bytesOf,
  type Checkpoint,
  type CheckpointDraft,
  decodeCheckpoint,
  encodeCheckpoint,
  readArray,
  requireEqual,
} from '../../data/checkpoint.ts';
import { readNumber, readSnapshots, readStream } from '../../data/checkpoint-header.ts';
import { decodeEpisodes, encodeEpisodes } from '../../data/episode.ts';
import { restoreCopies, snapshotCopies } from '../copies.ts';
import { describeShapes } from '../learned-groups.ts';
import type { TeamCounters, ValueTeam } from './value-team.ts';

const vectorNames = ['parameters', 'firstMoment', 'secondMoment'] as const;

interface TeamHeader {
  readonly counters: TeamCounters;
  readonly streams: { readonly act: RngState; readonly sample: RngState };
  readonly world: string;
  readonly replayStart: number;
  readonly snapshotLengths: readonly number[];
}

/** Parameters, moments, target networks, normalisation, replay, unfinished episodes, memory of the players, random streams, counters and the copies. */
export function encodeTeam(team: ValueTeam): Uint8Array {
  const { env, config, counters, actRng, sampleRng, world } = team;
  const snapshots = snapshotCopies(env);
  const header: TeamHeader = {
    counters,
    streams: { act: actRng.state, sample: sampleRng.state },
    world,
    replayStart: team.replay.start,
    snapshotLengths: snapshots.map((snapshot) => snapshot.byteLength),
  };
  const blobs: [string, Uint8Array | readonly Uint8Array[]][] = [
    ...networkBlobs(team),
    ...team.actors.flatMap(({ group, hidden, lastActions }): [string, Uint8Array][] => [
      [`${group.name}/hidden`, bytesOf(hidden)],
      [`${group.name}/lastActions`, bytesOf(lastActions)],
    ]),
    ['open', team.open.encode()],
    ['replay', encodeEpisodes(team.replay.ordered())],
    ['copies', snapshots],
  ];
  const draft: CheckpointDraft = {
    header: {
      kind: 'value-team',
      config: configOnRecord(config),
      shapes: describeShapes(env, team.net.mixer.needsState),
      step: team.vectors.step,
      ...header,
    },
    blobs: new Map(blobs),
  };
  return encodeCheckpoint(draft);
}

/** Throws: learner.badCheckpoint and sim.badSnapshot, before anything is changed. */
export function decodeTeam(bytes: Uint8Array, team: ValueTeam): void {
  const checkpoint = decodeCheckpoint(bytes);
  const { env, config } = team;
  requireEqual(checkpoint, 'kind', 'value-team');
  requireEqual(checkpoint, 'config', configOnRecord(config));
  requireEqual(checkpoint, 'shapes', describeShapes(env, team.net.mixer.needsState));
  const { streams, world } = checkpoint.header;
  const counters = readCounters(checkpoint.header.counters);
  const [actRng, sampleRng] = [readStream(streams, 'act'), readStream(streams, 'sample')];
  const part = (name: string): Uint8Array => {
    const blob = checkpoint.blobs.get(name);
    if (blob === undefined) throw bad(`its part "${name}" is missing`);
    return blob;
  };
  const loadNetwork = readNetwork(checkpoint, team);
  const players = team.actors.map(({ group, hidden, lastActions }) => ({
    hidden: readArray(checkpoint, `${group.name}/hidden`, hidden),
    lastActions: readArray(checkpoint, `${group.name}/lastActions`, lastActions),
  }));
  const loadOpen = team.open.decode(part('open'));
  const episodes = decodeEpisodes(part('replay'), team.open.shape);
  const start = readNumber(checkpoint.header, 'replayStart');
  // Only a full replay begins elsewhere than at its first place.
  const isFull = episodes.length === config.bufferEpisodes;
  if (start !== 0 && !(isFull && Number.isInteger(start) && start < episodes.length)) {
    throw bad(`${episodes.length} episodes of its replay cannot begin at place ${start}`);
  }
  const snapshots = readSnapshots(checkpoint, env.numEnvs);

  restoreCopies(env, snapshots);
  loadNetwork();
  loadOpen();
  for (const [i, { hidden, lastActions }] of players.entries()) team.actors[i]?.load(hidden, lastActions);
  team.replay.load(episodes, start);
  Object.assign(team.counters, counters);
  team.actRng = actRng;
  team.sampleRng = sampleRng;
  team.world = String(world);
}

function readCounters(value: unknown): TeamCounters {
  const counters = (value ?? {}) as Readonly<Record<string, unknown>>;
  const read = (key: keyof TeamCounters): number => readNumber(counters, key);
  return {
    trainedSteps: read('trainedSteps'),
    nextEpisode: read('nextEpisode'),
    sinceCopy: read('sinceCopy'),
    due: read('due'),
  };
}

function networkBlobs({ vectors, target, norms }: ValueTeam): [string, Uint8Array][] {
  return [
    ...vectorNames.map((name, i): [string, Uint8Array] => [name, bytesOf(vectors.vectors[i as 0 | 1 | 2])]),
    ['target', bytesOf(target)],
    ['stateNorm', bytesOf(norms.state.state)],
    ['rewardNorm', bytesOf(norms.reward.state)],
  ];
}

/** Reads everything first; the function returned puts it in place. */
function readNetwork(checkpoint: Checkpoint, { vectors, target, norms }: ValueTeam): () => void {
  const [parameters, first, second] = vectors.vectors.map((vector, i) =>
    readArray(checkpoint, vectorNames[i as 0 | 1 | 2], vector),
  ) as [Float32Array, Float32Array, Float32Array];
  const targetBefore = readArray(checkpoint, 'target', target);
  const state = readArray(checkpoint, 'stateNorm', norms.state.state);
  const reward = readArray(checkpoint, 'rewardNorm', norms.reward.state);
  const step = readNumber(checkpoint.header, 'step');
  return () => {
    vectors.load([parameters, first, second], step);
    target.set(targetBefore);
    norms.state.state.set(state);
    norms.reward.state.set(reward);
  };
}

/** A setting that checkpoints did not know yet is left out of them where it is as it was. */
function configOnRecord({ relabel, ...config }: ValueConfig): Omit<ValueConfig, 'relabel'> | ValueConfig {
  return relabel ? config : { ...config, relabel };
}
