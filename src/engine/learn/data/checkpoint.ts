import { AppError } from '../../../shared/std/app-error.ts';

/** What a checkpoint holds: a small JSON header and named arrays of bytes. */
export interface Checkpoint {
  readonly header: Readonly<Record<string, unknown>>;
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

const magic = 'gymwright-learner';
const formatVersion = 2;

/**
 * One buffer: length of the index (u32, little-endian), the index as JSON, then the blobs, each at a multiple of 8.
 * Equal content gives equal bytes.
 */
export function encodeCheckpoint({ header, blobs }: Checkpoint): Uint8Array {
  const lengths = [...blobs].map(([name, blob]) => [name, blob.byteLength] as const);
  const index = new TextEncoder().encode(
    JSON.stringify({ magic, version: formatVersion, header, blobs: lengths }),
  );
  let end = align(4 + index.byteLength);
  const offsets = lengths.map(([, length]) => {
    const offset = end;
    end = align(end + length);
    return offset;
  });
  const bytes = new Uint8Array(end);
  new DataView(bytes.buffer).setUint32(0, index.byteLength, true);
  bytes.set(index, 4);
  for (const [i, blob] of [...blobs.values()].entries()) bytes.set(blob, offsets[i]);
  return bytes;
}

/** Throws: learner.badCheckpoint for anything `encodeCheckpoint` of this version did not write. */
export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  const index = parseIndex(bytes);
  const blobs = new Map<string, Uint8Array>();
  let offset = align(4 + index.byteLength);
  for (const [name, length] of index.blobs) {
    if (offset + length > bytes.byteLength) throw bad(`it ends inside its part "${name}"`);
    // Copied, so that typed arrays over it are aligned whatever the buffer's own offset.
    blobs.set(name, bytes.slice(offset, offset + length));
    offset = align(offset + length);
  }
  return { header: index.header, blobs };
}

/** The blob as a list of f32, f64 and so on, checked for its length. */
export function readArray<T extends Float32Array | Float64Array>(
  checkpoint: Checkpoint,
  name: string,
  target: T,
): T {
  const blob = checkpoint.blobs.get(name);
  if (blob === undefined) throw bad(`its part "${name}" is missing`);
  if (blob.byteLength !== target.byteLength) {
    throw bad(`its part "${name}" has ${blob.byteLength} bytes, ${target.byteLength} are expected`);
  }
  const copy = target.slice() as T;
  new Uint8Array(copy.buffer, copy.byteOffset, copy.byteLength).set(blob);
  return copy;
}

export function bytesOf(array: Float32Array | Float64Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength).slice();
}

export function bad(reason: string): AppError {
  return new AppError(
    'learner.badCheckpoint',
    `The checkpoint of the learner cannot be used: ${reason}. Resume from an older checkpoint or start the run anew.`,
  );
}

interface Index {
  readonly byteLength: number;
  readonly header: Record<string, unknown>;
  readonly blobs: readonly (readonly [string, number])[];
}

function parseIndex(bytes: Uint8Array): Index {
  if (bytes.byteLength < 4) throw bad('it is empty');
  const byteLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (4 + byteLength > bytes.byteLength) throw bad('it is cut short or not a learner checkpoint');
  let parsed: { magic?: unknown; version?: unknown; header: Index['header']; blobs: Index['blobs'] };
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(4, 4 + byteLength)));
  } catch {
    throw bad('it is not a learner checkpoint');
  }
  if (parsed?.magic !== magic) throw bad('it is not a learner checkpoint');
  if (parsed.version !== formatVersion) throw bad(`its format is ${parsed.version}, not ${formatVersion}`);
  return { byteLength, header: parsed.header, blobs: parsed.blobs };
}

function align(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
