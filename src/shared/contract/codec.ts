import { AppError } from '../std/app-error.ts';

/**
 * A message as JSON text plus binary frames. A typed array stands in the text as `{"$": ["f64", i]}`, its bytes (little-endian)
 * are frame i; a number that JSON cannot hold as `{"$": ["number", "NaN"]}`; an object that has a "$" key of its own is
 * wrapped as `{"$": ["object", …]}`. Values: JSON data, typed arrays, undefined (dropped from objects, null in arrays).
 */
export interface CodedMessage {
  readonly text: string;
  readonly frames: readonly Uint8Array[];
}

/** Binary frames of one message; whoever receives more takes the sender for broken. */
export const maxFrames = 10_000;

/** Nesting beyond this is refused: no message of the contract comes near it. */
const maxDepth = 100;

const arrayTypes = {
  f64: Float64Array,
  f32: Float32Array,
  i32: Int32Array,
  u32: Uint32Array,
  i16: Int16Array,
  u8: Uint8Array,
} as const;
type ArrayTag = keyof typeof arrayTypes;
type CodedArray = InstanceType<(typeof arrayTypes)[ArrayTag]>;

function tagOf(value: object): ArrayTag | null {
  for (const tag of Object.keys(arrayTypes) as ArrayTag[]) if (value instanceof arrayTypes[tag]) return tag;
  return null;
}

/** What a sender says of a message that its receiver would refuse. */
export function tooLarge(reason: string): AppError {
  return new AppError('rpc.tooLarge', `the message is too large to be sent: ${reason}; ask for less at once`);
}

/**
 * Throws TypeError for a value the contract cannot carry (function, bigint, cyclic data), which is a programmer's mistake, and
 * rpc.tooLarge for more arrays than a receiver takes.
 */
export function encodeMessage(message: unknown): CodedMessage {
  const frames: Uint8Array[] = [];
  return { text: JSON.stringify(encodeValue(message, frames, 0)), frames };
}

function encodeValue(value: unknown, frames: Uint8Array[], depth: number): unknown {
  if (depth > maxDepth) throw new TypeError(`a message is nested deeper than ${maxDepth} levels`);
  if (typeof value === 'number') return Number.isFinite(value) ? value : { $: ['number', String(value)] };
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') {
    throw new TypeError(`a message cannot carry a ${typeof value}`);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => encodeValue(item, frames, depth + 1));
  if (ArrayBuffer.isView(value)) return encodeArray(value, frames);
  return encodeObject(value, frames, depth);
}

function encodeArray(value: ArrayBufferView, frames: Uint8Array[]): unknown {
  const tag = tagOf(value);
  if (tag === null) throw new TypeError(`a message cannot carry a ${value.constructor.name}`);
  if (frames.length === maxFrames) throw tooLarge(`it has more than ${maxFrames} arrays`);
  frames.push(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  return { $: [tag, frames.length - 1] };
}

function encodeObject(value: object, frames: Uint8Array[], depth: number): unknown {
  const entries = Object.entries(value).map(
    ([key, item]) => [key, encodeValue(item, frames, depth + 1)] as const,
  );
  const coded = Object.fromEntries(entries);
  return Object.hasOwn(value, '$') ? { $: ['object', coded] } : coded;
}

/** Throws rpc.badArguments for anything that encodeMessage does not write. */
export function decodeMessage({ text, frames }: CodedMessage): unknown {
  return decodeValue(parseJson(text), frames, 0);
}

function malformed(reason: string): AppError {
  return new AppError('rpc.badArguments', `malformed message: ${reason}; it was ignored`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(`not JSON (${error instanceof Error ? error.message.slice(0, 200) : 'unreadable'})`);
  }
}

function decodeValue(value: unknown, frames: readonly Uint8Array[], depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth * 2) throw malformed(`nested deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) return value.map((item) => decodeValue(item, frames, depth + 1));
  if (Object.hasOwn(value, '__proto__')) throw malformed('"__proto__" is no key of the contract');
  if (Object.hasOwn(value, '$')) return decodeMarker((value as { $: unknown }).$, frames, depth);
  return decodeEntries(value, frames, depth);
}

function decodeEntries(value: object, frames: readonly Uint8Array[], depth: number): unknown {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, decodeValue(item, frames, depth + 1)]),
  );
}

function decodeMarker(marker: unknown, frames: readonly Uint8Array[], depth: number): unknown {
  if (!Array.isArray(marker) || marker.length !== 2) throw malformed('a "$" marker has to be a pair');
  const [tag, content]: unknown[] = marker;
  if (tag === 'number') return decodeNumber(content);
  if (tag === 'object' && typeof content === 'object' && content !== null && !Array.isArray(content)) {
    if (Object.hasOwn(content, '__proto__')) throw malformed('"__proto__" is no key of the contract');
    return decodeEntries(content, frames, depth + 1);
  }
  if (typeof tag === 'string' && Object.hasOwn(arrayTypes, tag))
    return decodeArray(tag as ArrayTag, content, frames);
  throw malformed(`unknown "$" marker ${JSON.stringify(tag)?.slice(0, 50)}`);
}

function decodeNumber(content: unknown): number {
  if (content === 'NaN' || content === 'Infinity' || content === '-Infinity') return Number(content);
  throw malformed('unknown number');
}

function decodeArray(tag: ArrayTag, index: unknown, frames: readonly Uint8Array[]): CodedArray {
  const frame = typeof index === 'number' ? frames[index] : undefined;
  if (frame === undefined) throw malformed('an array refers to a frame that was not sent');
  const ArrayType = arrayTypes[tag];
  if (frame.byteLength % ArrayType.BYTES_PER_ELEMENT !== 0) throw malformed('a frame has a broken length');
  return new ArrayType(new Uint8Array(frame).buffer);
}
