import type { OnPolicyConfig } from '../../../../shared/rl/learner-config.ts';
import type { RngState } from '../../../../shared/std/rng.ts';
import {
  bytesOf,
  type Checkpoint,
  decodeCheckpoint,
  encodeCheckpoint,
  joinBlobs,
  readArray,
  requireEqual,
} from '../../data/checkpoint.ts';
import { readCounts, readNumber, readSnapshots, readStream } from '../../data/checkpoint-header.ts';
import { ippoDefaults } from '../../presets/on-policy-presets.ts';
import { restoreCopies, snapshotCopies } from '../copies.ts';
import { describeShapes } from '../learned-groups.ts';
import type { OnPolicyGroup } from './group.ts';
import type { OnPolicyRun } from './run.ts';

const vectorNames = ['parameters', 'firstMoment', 'secondMoment'] as const;

interface LearnerHeader {
  readonly trainedSteps: number;
  readonly nextEpisode: number;
  readonly streams: readonly { readonly act: RngState; readonly permute: RngState }[];
  readonly snapshotLengths: readonly number[];
}

/** Per group parameters, Adam moments and step, normalisation, random streams and what networks remember; counters and the copies. */
export function encodeLearner(run: OnPolicyRun): Uint8Array {
  const { env, groups, config, trainedSteps, nextEpisode } = run;
  const snapshots = snapshotCopies(env);
  const header: LearnerHeader = {
    trainedSteps,
    nextEpisode,
    streams: groups.map(({ actRng, permuteRng }) => ({ act: actRng.state, permute: permuteRng.state })),
    snapshotLengths: snapshots.map((snapshot) => snapshot.byteLength),
  };
  return encodeCheckpoint({
    header: { kind: 'learner', config, shapes: shapesOf(run), adamSteps: adamStepsOf(groups), ...header },
    blobs: new Map([
      ...groups.flatMap(networkBlobs),
      ...(config.recurrent ? groups.flatMap(memoryBlobs) : []),
      ['copies', joinBlobs(snapshots)],
    ]),
  });
}

/** Throws: learner.badCheckpoint and sim.badSnapshot, before anything is changed. */
export function decodeLearner(bytes: Uint8Array, run: OnPolicyRun): void {
  const { env, groups, config } = run;
  const checkpoint = decodeCheckpoint(bytes);
  requireEqual(checkpoint, 'kind', 'learner');
  // Checkpoints from before a setting existed have its default.
  const settings = { ...ippoDefaults, ...(checkpoint.header.config as Partial<OnPolicyConfig>) };
  requireEqual({ ...checkpoint, header: { config: settings } }, 'config', config);
  requireEqual(checkpoint, 'shapes', shapesOf(run));
  const { header } = checkpoint;
  const changes = readNetworks(checkpoint, groups);
  if (config.recurrent) changes.push(...groups.map((group) => readMemories(checkpoint, group)));
  changes.push(...groups.map((group, i) => readStreams(header.streams, group, i)));
  const [trainedSteps, nextEpisode] = [readNumber(header, 'trainedSteps'), readNumber(header, 'nextEpisode')];
  restoreCopies(env, readSnapshots(checkpoint, env.numEnvs));
  for (const apply of changes) apply();
  run.trainedSteps = trainedSteps;
  run.nextEpisode = nextEpisode;
}

function readStreams(streams: unknown, group: OnPolicyGroup, index: number): () => void {
  const own = Array.isArray(streams) ? streams[index] : undefined;
  const [act, permute] = [readStream(own, 'act'), readStream(own, 'permute')];
  return () => {
    group.actRng = act;
    group.permuteRng = permute;
  };
}

function shapesOf({ env, config }: OnPolicyRun): string {
  return describeShapes(env, config.critic !== 'observation');
}

function adamStepsOf(groups: readonly OnPolicyGroup[]): number[] {
  return groups.map((group) => group.adam.step);
}

function networkBlobs({ name, adam, valueNorm, stateNorm }: OnPolicyGroup): [string, Uint8Array][] {
  return [
    ...vectorNames.map((vector, i): [string, Uint8Array] => [
      `${name}/${vector}`,
      bytesOf(adam.vectors[i as 0 | 1 | 2]),
    ]),
    [`${name}/valueNorm`, bytesOf(valueNorm.state)],
    ...(stateNorm === null ? [] : [[`${name}/stateNorm`, bytesOf(stateNorm.state)] as [string, Uint8Array]]),
  ];
}

function memoryBlobs({ name, memories }: OnPolicyGroup): [string, Uint8Array][] {
  return [
    [`${name}/actorMemory`, bytesOf(memories.actor)],
    [`${name}/criticMemory`, bytesOf(memories.critic)],
  ];
}

/** Reads everything first; the functions returned put it in place. */
function readNetworks(checkpoint: Checkpoint, groups: readonly OnPolicyGroup[]): (() => void)[] {
  const steps = readCounts(checkpoint.header, 'adamSteps', groups.length);
  return groups.map((group, i) => {
    const { name, adam, valueNorm, stateNorm } = group;
    const [parameters, first, second] = adam.vectors.map((vector, k) =>
      readArray(checkpoint, `${name}/${vectorNames[k]}`, vector),
    ) as [Float32Array, Float32Array, Float32Array];
    const values = readArray(checkpoint, `${name}/valueNorm`, valueNorm.state);
    const states = stateNorm && readArray(checkpoint, `${name}/stateNorm`, stateNorm.state);
    return () => {
      adam.load([parameters, first, second], steps[i] as number);
      group.loadNorms(values, states);
    };
  });
}

function readMemories(checkpoint: Checkpoint, group: OnPolicyGroup): () => void {
  const { name, memories } = group;
  const actor = readArray(checkpoint, `${name}/actorMemory`, memories.actor);
  const critic = readArray(checkpoint, `${name}/criticMemory`, memories.critic);
  return () => group.loadMemories(actor, critic);
}
