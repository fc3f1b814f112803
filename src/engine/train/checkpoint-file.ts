import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { EnvironmentSpec, TrapRecord } from '../../shared/rl/vec-env.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { fileError, readWhole } from '../files/index.ts';
import { matchesName, writeContentFile } from './files.ts';
import type { SolvedState } from './solved-starts.ts';
import type { WeightState } from './weight-follower.ts';

/** Everything of a trainer that the future depends on, besides the learner's own bytes. */
export interface TrainerState {
  readonly runId: string;
  readonly seed: number;
  readonly round: number;
  readonly isRoundEnd: boolean;
  readonly ownSteps: number;
  readonly chargedOffset: number;
  /** Points reported so far. */
  readonly sequence: number;
  /** Charged step at which the next evaluation is due. */
  readonly nextEvaluation: number;
  readonly environment: EnvironmentSpec;
  readonly environmentIdentity: string;
  readonly lastRecord: string | null;
  /** Weights of shaping inside the round; absent where the environment's are all that there is. */
  readonly shaping?: WeightState;
  /** Of the run so far; absent in checkpoints of before it was followed. */
  readonly solved?: SolvedState;
  readonly observed: ObservedState;
}

/** What was counted in the round so far. */
export interface ObservedState {
  readonly envSteps: number;
  readonly fireCounts: Float64Array;
  readonly traps: readonly TrapRecord[];
  readonly numTraps: number;
  readonly evaluationSteps: number;
  /** Rows of the last episodes: a ring, `next` is the row that is written next. */
  readonly window: { readonly values: Float64Array; readonly count: number; readonly next: number };
}

const magic = Buffer.from('GWCKPT\0\x02', 'latin1');
const headerLength = magic.length + 8;

/**
 * Layout: magic and version (8 bytes), lengths of state and learner (u32 LE each), state (structured clone), learner.
 * Returns the file's name. Throws: workspace.diskFull, workspace.readOnly.
 */
export function writeCheckpoint(directory: string, state: TrainerState, learner: Uint8Array): string {
  const head = serialize(state);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(head.length, 0);
  lengths.writeUInt32LE(learner.length, 4);
  return writeContentFile(directory, 'checkpoint', 'gwc', Buffer.concat([magic, lengths, head, learner]))
    .file;
}

/**
 * Reads a checkpoint back, after comparing its bytes with the hash in its name.
 * Throws: learner.badCheckpoint for one that is missing, damaged, of another version, or of another run.
 */
export function readCheckpoint(
  directory: string,
  file: string,
  run: { readonly runId: string; readonly seed: number },
): { state: TrainerState; learner: Uint8Array } {
  const path = join(directory, file);
  const bytes = readBytes(path);
  if (!bytes.subarray(0, magic.length).equals(magic)) {
    throw bad(path, 'it is not a checkpoint, or one that another version wrote');
  }
  if (!matchesName(file, bytes)) throw bad(path, damaged);
  const stateLength = bytes.readUInt32LE(magic.length);
  const learnerLength = bytes.readUInt32LE(magic.length + 4);
  if (bytes.length !== headerLength + stateLength + learnerLength) throw bad(path, 'its length is wrong');
  const state = deserialize(bytes.subarray(headerLength, headerLength + stateLength)) as TrainerState;
  if (state.runId !== run.runId || state.seed !== run.seed) {
    throw bad(
      path,
      `it belongs to run ${state.runId} with seed ${state.seed}, not to ${run.runId} with seed ${run.seed}`,
    );
  }
  return { state, learner: new Uint8Array(bytes.subarray(headerLength + stateLength)) };
}

/**
 * What is wrong with a checkpoint's file, or null when its bytes are the ones that were written. One that cannot be read for
 * now (permissions, a failing disk) is not called damaged: it may be sound.
 */
export function findDamage(directory: string, file: string): string | null {
  try {
    return matchesName(file, readWhole(join(directory, file))) ? null : damaged;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'ENOENT' ? 'the file is gone' : null;
  }
}

const damaged = 'its content is damaged (the hash in its name does not fit)';

function readBytes(path: string): Buffer {
  try {
    return readWhole(path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') throw bad(path, 'the file is gone');
    throw fileError(thrown, 'read', path);
  }
}

function bad(path: string, reason: string): AppError {
  return new AppError(
    'learner.badCheckpoint',
    `cannot resume from ${path}: ${reason}. Restore the file from a backup, or start the study anew.`,
    { data: { path } },
  );
}
