import { AppError } from '../../../shared/std/app-error.ts';

/** What a checkpoint holds: a small JSON header and named arrays of bytes. */
export interface Checkpoint {
  readonly header: Readonly<Record<string, unknown>>;
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

/** What is written: a part may come in pieces, which are joined. */
export interface CheckpointDraft {
  readonly header: Checkpoint['header'];
  readonly blobs: ReadonlyMap<string, Uint8Array | readonly Uint8Array[]>;
}

const magic = 'gymwright-learner';
const formatVersion = 2;

/**
 * One buffer: length of the index (u32, little-endian), the index as JSON, then the blobs, each at a multiple of 8.
 * Equal content gives equal bytes.
 */
export function encodeCheckpoint({ header, blobs }: CheckpointDraft): Uint8Array {
  const parts = [...blobs].map(([name, blob]) => [name, blob instanceof Uint8Array ? [blob] : blob] as const);
  const lengths = parts.map(
    ([name, pieces]) => [name, pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)] as const,
  );
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
  for (const [i, [, pieces]] of parts.entries()) {
    let offset = offsets[i] as number;
    for (const piece of pieces) {
      bytes.set(piece, offset);
      offset += piece.byteLength;
    }
  }
  return bytes;
}

/**
 * The parts may be views into `bytes`; every one starts at a multiple of 8.
 * Throws: learner.badCheckpoint for anything `encodeCheckpoint` of this version did not write.
 */
export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  const index = parseIndex(bytes);
  const blobs = new Map<string, Uint8Array>();
  let offset = align(4 + index.byteLength);
  for (const [name, length] of index.blobs) {
    if (offset + length > bytes.byteLength) throw bad(`it ends inside its part "${name}"`);
    const isAligned = (bytes.byteOffset + offset) % 8 === 0;
    blobs.set(
      name,
      isAligned ? bytes.subarray(offset, offset + length) : bytes.slice(offset, offset + length),
    );
    offset = align(offset + length);
  }
  return { header: index.header, blobs };
}

/** The blob as a copy in an array like `target`, checked for its length. */
export function readArray<T extends Float32Array | Float64Array | Int32Array>(
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

export function bytesOf(array: Float32Array | Float64Array | Int32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength).slice();
}

export function bad(reason: string): AppError {
  return new AppError(
    'learner.badCheckpoint',
    `The checkpoint of the learner cannot be used: ${reason}. Resume from an older checkpoint or start the run anew.`,
  );
}

/** Throws: learner.badCheckpoint where the header does not have the value under the key. */
export function requireEqual(checkpoint: Pick<Checkpoint, 'header'>, key: string, expected: unknown): void {
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

/** Blobs of any lengths one after the other; `cutBlob` takes them apart. */
export function joinBlobs(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

export function cutBlob(whole: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return whole.slice(end - length, end);
  });
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
  if (!isIndex(parsed)) throw bad('the list of its parts is damaged');
  return { byteLength, header: parsed.header, blobs: parsed.blobs };
}

function isIndex({ header, blobs }: { header: unknown; blobs: unknown }): boolean {
  if (typeof header !== 'object' || header === null || !Array.isArray(blobs)) return false;
  return blobs.every(
    (part) =>
      Array.isArray(part) && typeof part[0] === 'string' && Number.isSafeInteger(part[1]) && part[1] >= 0,
  );
}

function align(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
