import { CounterRng, type RngState } from '../../../shared/std/rng.ts';
import { bad, type Checkpoint, cutBlob } from './checkpoint.ts';

type Header = Readonly<Record<string, unknown>>;

/** A number from 0 on. Throws: learner.badCheckpoint. */
export function readNumber(header: Header, key: string): number {
  const value = header[key];
  if (isNumber(value)) return value;
  throw bad(`its ${key} is ${JSON.stringify(value) ?? 'missing'}, which is no number from 0 on`);
}

/** A list of `count` whole numbers from 0 on. Throws: learner.badCheckpoint. */
export function readCounts(header: Header, key: string, count: number): readonly number[] {
  const list = header[key];
  if (!Array.isArray(list) || !list.every((value) => isNumber(value) && Number.isSafeInteger(value))) {
    throw bad(`its ${key} are no list of whole numbers`);
  }
  if (list.length !== count) throw bad(`it has ${list.length} ${key}, ${count} are expected`);
  return list;
}

/** A stream of random numbers where it stood. Throws: learner.badCheckpoint. */
export function readStream(streams: unknown, name: string): CounterRng {
  try {
    return CounterRng.from((streams as Readonly<Record<string, RngState>>)[name] as RngState);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw bad(`its random stream "${name}" cannot be taken up (${reason})`);
  }
}

/** Snapshots of `count` copies. Throws: learner.badCheckpoint. */
export function readSnapshots({ header, blobs }: Checkpoint, count: number): Uint8Array[] {
  const lengths = readCounts(header, 'snapshotLengths', count);
  const blob = blobs.get('copies');
  if (blob === undefined) throw bad('its part "copies" is missing');
  const expected = lengths.reduce((sum, length) => sum + length, 0);
  if (blob.byteLength !== expected) {
    throw bad(`its part "copies" has ${blob.byteLength} bytes, ${expected} are expected`);
  }
  return cutBlob(blob, lengths);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
