import { closeSync, openSync, statSync } from 'node:fs';
import { AppError } from '../../../shared/std/app-error.ts';
import { fileError } from '../../files/index.ts';
import { tensorTypes } from './ggml-types.ts';
import { GgufCursor } from './gguf-cursor.ts';

/** What the header of a GGUF file declares. Of long arrays of the metadata and of texts only the lengths are kept. */
export interface GgufHeader {
  readonly version: number;
  readonly metadata: ReadonlyMap<string, string | number | boolean>;
  readonly arrayLengths: ReadonlyMap<string, number>;
  /** Short arrays of numbers, such as one for each layer. */
  readonly numberLists: ReadonlyMap<string, readonly number[]>;
  readonly tensors: readonly GgufTensor[];
  /** Offset of the tensor data in the file. */
  readonly dataOffset: number;
  readonly fileBytes: number;
}

export interface GgufTensor {
  readonly name: string;
  /** Fastest dimension first. */
  readonly shape: readonly number[];
  readonly elements: number;
  readonly bytes: number;
  /** Relative to dataOffset. */
  readonly offset: number;
}

const scalarBytes: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};
const stringType = 8;
const arrayType = 9;

const limits = {
  metadata: 100_000,
  tensors: 1_000_000,
  keyBytes: 65_536,
  arrayElements: 100_000_000,
  keptElements: 1024,
  depth: 4,
  dimensions: 4,
};

function readScalar(cursor: GgufCursor, type: number, what: string): number | boolean {
  const size = scalarBytes[type];
  if (size === undefined) return cursor.fail(`${what} has the unknown value type ${type}`);
  const bytes = cursor.take(size, what);
  switch (type) {
    case 0:
      return bytes.readUInt8();
    case 1:
      return bytes.readInt8();
    case 2:
      return bytes.readUInt16LE();
    case 3:
      return bytes.readInt16LE();
    case 4:
      return bytes.readUInt32LE();
    case 5:
      return bytes.readInt32LE();
    case 6:
      return bytes.readFloatLE();
    case 7:
      return bytes.readUInt8() !== 0;
    case 10:
      return Number(bytes.readBigUInt64LE());
    case 11:
      return Number(bytes.readBigInt64LE());
    default:
      return bytes.readDoubleLE();
  }
}

/** Reads an array's length, and its numbers where they are few; steps over what is not kept. */
function readArray(cursor: GgufCursor, what: string, depth = 0): { length: number; numbers: number[] } {
  if (depth > limits.depth) return cursor.fail(`${what} nests arrays too deeply`);
  const type = cursor.u32(`the element type of ${what}`);
  const start = cursor.offset;
  const length = cursor.u64(`the length of ${what}`);
  if (length > limits.arrayElements) return cursor.fail(`${what} claims ${length} elements`, start);
  const numbers: number[] = [];
  if (type === arrayType) {
    for (let i = 0; i < length; i++) readArray(cursor, what, depth + 1);
  } else if (type === stringType) {
    for (let i = 0; i < length; i++) cursor.skip(cursor.u64(`a string length in ${what}`), what);
  } else {
    const size = scalarBytes[type];
    if (size === undefined) return cursor.fail(`${what} has the unknown element type ${type}`, start - 4);
    if (length > limits.keptElements) cursor.skip(size * length, what);
    else for (let i = 0; i < length; i++) numbers.push(Number(readScalar(cursor, type, what)));
  }
  return { length, numbers };
}

function readMetadata(
  cursor: GgufCursor,
  count: number,
): Pick<GgufHeader, 'metadata' | 'arrayLengths' | 'numberLists'> {
  const metadata = new Map<string, string | number | boolean>();
  const arrayLengths = new Map<string, number>();
  const numberLists = new Map<string, readonly number[]>();
  for (let i = 0; i < count; i++) {
    const key = cursor.string(`metadata key ${i + 1} of ${count}`, limits.keyBytes);
    const what = `metadata "${key}"`;
    const type = cursor.u32(`the type of ${what}`);
    if (type === arrayType) {
      const { length, numbers } = readArray(cursor, what);
      arrayLengths.set(key, length);
      if (numbers.length > 0) numberLists.set(key, numbers);
    } else if (type === stringType) metadata.set(key, cursor.string(what, cursor.fileBytes));
    else metadata.set(key, readScalar(cursor, type, what));
  }
  return { metadata, arrayLengths, numberLists };
}

function readTensor(cursor: GgufCursor, index: number, count: number): GgufTensor {
  const name = cursor.string(`the name of tensor ${index + 1} of ${count}`, limits.keyBytes);
  const what = `tensor "${name}"`;
  const start = cursor.offset;
  const numDimensions = cursor.u32(`the rank of ${what}`);
  if (numDimensions > limits.dimensions) cursor.fail(`${what} claims ${numDimensions} dimensions`, start);
  const shape = Array.from({ length: numDimensions }, () => cursor.u64(`a dimension of ${what}`));
  const elements = shape.reduce((product, size) => product * size, 1);
  if (!Number.isSafeInteger(elements)) cursor.fail(`${what} claims ${elements} elements`, start);
  const typeOffset = cursor.offset;
  const type = cursor.u32(`the type of ${what}`);
  const block = tensorTypes[type];
  if (block === undefined) return cursor.fail(`${what} has the unknown tensor type ${type}`, typeOffset);
  const offset = cursor.u64(`the offset of ${what}`);
  return { name, shape, elements, bytes: Math.ceil(elements / block[1]) * block[0], offset };
}

function checkExtents(cursor: GgufCursor, header: GgufHeader, alignment: number): void {
  for (const tensor of header.tensors) {
    const start = header.dataOffset + tensor.offset;
    if (tensor.offset % alignment !== 0)
      cursor.fail(`tensor "${tensor.name}" is not aligned to ${alignment} bytes`, start);
    if (start + tensor.bytes > header.fileBytes) {
      const missing = start + tensor.bytes - header.fileBytes;
      cursor.fail(
        `the file is cut short: ${missing} bytes of tensor "${tensor.name}" are missing`,
        header.fileBytes,
      );
    }
  }
}

function readHeader(cursor: GgufCursor): GgufHeader {
  const magic = cursor.take(4, 'the magic number');
  if (magic.toString('latin1') !== 'GGUF')
    cursor.fail('this is not a GGUF file: the magic number is wrong', 0);
  const version = cursor.u32('the version');
  if (version < 2 || version > 3) cursor.fail(`GGUF version ${version} is not supported (2 and 3 are)`, 4);
  const numTensors = cursor.u64('the tensor count');
  const numMetadata = cursor.u64('the metadata count');
  if (numTensors > limits.tensors) cursor.fail(`the file claims ${numTensors} tensors`, 8);
  if (numTensors === 0) cursor.fail('the file holds no tensors, so there is nothing to run,', 8);
  if (numMetadata > limits.metadata) cursor.fail(`the file claims ${numMetadata} metadata entries`, 16);
  const { metadata, arrayLengths, numberLists } = readMetadata(cursor, numMetadata);
  const tensors: GgufTensor[] = [];
  for (let i = 0; i < numTensors; i++) tensors.push(readTensor(cursor, i, numTensors));
  const declared = metadata.get('general.alignment');
  const alignment = typeof declared === 'number' && declared > 0 ? declared : 32;
  const dataOffset = Math.ceil(cursor.offset / alignment) * alignment;
  const header = {
    version,
    metadata,
    arrayLengths,
    numberLists,
    tensors,
    dataOffset,
    fileBytes: cursor.fileBytes,
  };
  checkExtents(cursor, header, alignment);
  return header;
}

/**
 * Reads and checks the header of a GGUF file without loading its tensors.
 *
 * Throws: model.notFound; model.invalid, which says what is wrong and at which byte.
 * Cost: reads the header only (some MB where the vocabulary is large), synchronously.
 * Source: the GGUF specification of ggml, versions 2 and 3, little-endian.
 */
export function readGgufHeader(path: string): GgufHeader {
  const descriptor = openModel(path);
  try {
    return readHeader(new GgufCursor(path, descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** A number of the metadata; null where there is none of this name. */
export function numberOf({ metadata }: GgufHeader, key: string): number | null {
  const value = metadata.get(key);
  return typeof value === 'number' ? value : null;
}

/** A text of the metadata; null where there is none of this name. */
export function textOf({ metadata }: GgufHeader, key: string): string | null {
  const value = metadata.get(key);
  return typeof value === 'string' && value !== '' ? value : null;
}

export function sizeOfTensors({ tensors }: GgufHeader): number {
  return tensors.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** What is no regular file is not opened: a pipe would be waited for. */
function openModel(path: string): number {
  try {
    const stats = statSync(path);
    if (stats.isFile()) return openSync(path, 'r');
    const what = stats.isDirectory()
      ? 'a folder: name the .gguf file inside it'
      : 'not a file: name a .gguf file';
    throw new AppError('model.notFound', `${path} is ${what}`, { data: { path } });
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const { message } = fileError(cause, 'read', path);
    throw new AppError('model.notFound', message, { cause, data: { path } });
  }
}
