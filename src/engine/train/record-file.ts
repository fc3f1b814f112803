import { readFileSync } from 'node:fs';
import { AppError } from '../../shared/std/app-error.ts';
import { fileError } from '../files/index.ts';
import { matchesName, writeContentFile } from './files.ts';

/** Where recorded steps come from. */
export interface RecordHeader {
  readonly scenario: string;
  readonly environmentIdentity: string;
  readonly round: number;
  readonly numAgents: number;
  readonly numSteps: number;
  /** Copies that were recorded side by side, each in all of its steps; null in records of before that was kept. */
  readonly numCopies: number | null;
  /** Indices of the steps that begin an episode. */
  readonly begins: readonly number[];
}

/** One step: the whole state of one copy before it, and the actions taken in it. */
export interface RecordStep {
  readonly snapshot: Uint8Array;
  /** [A] i32 */
  readonly actions: Int32Array;
}

export interface RecordFile extends RecordHeader {
  /** Steps in the order they were recorded: by time, then by copy. */
  readonly steps: readonly RecordStep[];
}

/** Steps that one copy took one after another within one episode. */
export interface RecordStretch {
  readonly copy: number;
  /** Time of the first step, counted from the first one recorded. */
  readonly time: number;
  readonly steps: readonly RecordStep[];
}

/** What is kept of a round: the last iteration of as many copies as this leaves room for, at least one. */
const recordedSteps = 2048;
const recordedBytes = 16 * 2 ** 20;

/** Whole copies, so that what follows what can be seen. */
export function copiesToRecord(bytesPerStep: number, numSteps: number): number {
  const bytesPerCopy = numSteps * bytesPerStep;
  return Math.max(1, Math.floor(Math.min(recordedSteps / numSteps, recordedBytes / bytesPerCopy)));
}

const magic = Buffer.from('GWRECRD\x01', 'latin1');

/**
 * Layout, little endian: magic and version (8 bytes), u32 header length, header (JSON), then N × A actions (i32),
 * N snapshot lengths (u32) and the snapshots. Returns the file's name. Throws: workspace.diskFull, workspace.readOnly.
 */
export function writeRecord(
  directory: string,
  header: Omit<RecordHeader, 'numSteps'>,
  steps: readonly RecordStep[],
): string {
  const json = Buffer.from(JSON.stringify({ ...header, numSteps: steps.length }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const actions = Buffer.alloc(steps.length * header.numAgents * 4);
  const lengths = Buffer.alloc(steps.length * 4);
  for (const [index, step] of steps.entries()) {
    for (let agent = 0; agent < header.numAgents; agent++) {
      actions.writeInt32LE(step.actions[agent] ?? 0, (index * header.numAgents + agent) * 4);
    }
    lengths.writeUInt32LE(step.snapshot.length, index * 4);
  }
  const bytes = Buffer.concat([magic, length, json, actions, lengths, ...steps.map((step) => step.snapshot)]);
  return writeContentFile(directory, 'record', 'gwr', bytes).file;
}

/** Reads recorded steps back. Throws: input.invalid for a damaged or foreign file, input.notFound for none. */
export function readRecord(path: string): RecordFile {
  const bytes = load(path);
  if (!bytes.subarray(0, magic.length).equals(magic))
    throw invalid(path, 'it is not a record of this version');
  if (!matchesName(path, bytes))
    throw invalid(path, 'its content is damaged (the hash in its name does not fit)');
  const headerEnd = magic.length + 4 + bytes.readUInt32LE(magic.length);
  const known = JSON.parse(bytes.toString('utf8', magic.length + 4, headerEnd)) as Partial<RecordHeader>;
  const header = { numCopies: null, begins: [], ...known } as RecordHeader;
  const lengthsAt = headerEnd + header.numSteps * header.numAgents * 4;
  let snapshotAt = lengthsAt + header.numSteps * 4;
  const steps = Array.from({ length: header.numSteps }, (_, index): RecordStep => {
    const actions = Int32Array.from({ length: header.numAgents }, (_unused, agent) =>
      bytes.readInt32LE(headerEnd + (index * header.numAgents + agent) * 4),
    );
    const start = snapshotAt;
    snapshotAt += bytes.readUInt32LE(lengthsAt + index * 4);
    return { snapshot: new Uint8Array(bytes.subarray(start, snapshotAt)), actions };
  });
  return { ...header, steps };
}

/**
 * What was recorded as stretches, by copy and time. Where it is not known which steps follow each other, every step stands
 * alone.
 */
export function stretchesOf({
  steps,
  numCopies,
  begins,
}: Pick<RecordFile, 'steps' | 'numCopies' | 'begins'>): RecordStretch[] {
  const width = numCopies ?? steps.length;
  const isFirst = new Set(begins);
  const stretches: { copy: number; time: number; steps: RecordStep[] }[] = [];
  for (let copy = 0; copy < width; copy++) {
    for (let time = 0; copy + time * width < steps.length; time++) {
      const index = copy + time * width;
      if (time === 0 || isFirst.has(index)) stretches.push({ copy, time, steps: [] });
      stretches.at(-1)?.steps.push(...steps.slice(index, index + 1));
    }
  }
  return stretches;
}

/** At most `limit` of the steps, spread evenly over all of them. */
export function spreadSteps(steps: readonly RecordStep[], limit: number): RecordStep[] {
  if (steps.length <= limit) return [...steps];
  return Array.from(
    { length: limit },
    (_, index) => steps[Math.floor((index * steps.length) / limit)],
  ).filter((step) => step !== undefined);
}

function load(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw fileError(thrown, 'read', path);
    throw new AppError(
      'input.notFound',
      `the record ${path} is gone; the round has to be trained again to have one.`,
    );
  }
}

function invalid(path: string, reason: string): AppError {
  return new AppError('input.invalid', `cannot read the record ${path}: ${reason}.`, { data: { path } });
}
