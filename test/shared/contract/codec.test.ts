import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeMessage, encodeMessage } from '../../../src/shared/contract/codec.ts';
import { thrownBy } from '../../support/error-code.ts';

const roundTrip = (value: unknown): unknown => decodeMessage(encodeMessage(value));

const typedArray = fc.oneof(
  fc.float64Array(),
  fc.float32Array(),
  fc.int32Array(),
  fc.uint32Array(),
  fc.int16Array(),
  fc.uint8Array(),
);

const plainKey = fc.string().filter((key) => key !== '__proto__');
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double().map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.string(),
    typedArray,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(plainKey, fc.constantFrom('$', 'id', 'ok')), tie('value'), {
      maxKeys: 5,
      noNullPrototype: true,
    }),
  ),
}));

describe('encodeMessage and decodeMessage', () => {
  test('give back any data of JSON values, odd numbers and typed arrays (seeded)', () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(roundTrip(value)).toEqual(value);
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  test('more arrays than a receiver takes are refused by the sender', () => {
    const arrays = (count: number) => Array.from({ length: count }, () => new Uint8Array(1));
    expect(encodeMessage(arrays(10_000)).frames).toHaveLength(10_000);
    expect(thrownBy(() => encodeMessage(arrays(10_001))).code).toBe('rpc.tooLarge');
  });

  test('carry the bytes of an array outside the text', () => {
    const { text, frames } = encodeMessage({ values: new Float64Array([1.5, Number.NaN]) });
    expect(text).toBe('{"values":{"$":["f64",0]}}');
    expect(frames.map((frame) => frame.byteLength)).toEqual([16]);
  });

  test('a view into a larger buffer is sent alone', () => {
    const view = new Float64Array([1, 2, 3, 4]).subarray(1, 3);
    expect(encodeMessage(view).frames[0]?.byteLength).toBe(16);
    expect(roundTrip(view)).toEqual(new Float64Array([2, 3]));
  });

  test('a frame that lies unaligned in a pool is decoded from its own bytes', () => {
    const pool = Buffer.alloc(64, 0xff);
    Buffer.from(new Float64Array([7]).buffer).copy(pool, 3);
    const decoded = decodeMessage({ text: '{"$":["f64",0]}', frames: [pool.subarray(3, 11)] });
    expect(decoded).toEqual(new Float64Array([7]));
  });

  test('undefined is dropped from objects', () => {
    expect(roundTrip({ arm: undefined, seed: 1 })).toEqual({ seed: 1 });
  });

  test.each([[1n], [() => 0], [Symbol('s')], [{ deep: [new BigInt64Array(1)] }]])(
    '%s is a TypeError',
    (value) => {
      expect(() => encodeMessage(value)).toThrow(TypeError);
    },
  );

  test('cyclic data is a TypeError, not an overflow', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(() => encodeMessage(cyclic)).toThrow(TypeError);
  });
});

describe('decodeMessage', () => {
  test.each([
    ['no JSON', 'hello', []],
    ['an empty text', '', []],
    ['an array without its frame', '{"$":["f64",0]}', []],
    ['a frame index that is no number', '{"$":["f64","0"]}', [new Uint8Array(8)]],
    ['a frame of a broken length', '{"$":["f64",0]}', [new Uint8Array(7)]],
    ['an unknown marker', '{"$":["date",0]}', []],
    ['a marker that is no pair', '{"$":1}', []],
    ['a number in disguise', '{"$":["number","1e9"]}', []],
    ['a prototype', '{"__proto__":{"isAdmin":true}}', []],
    ['an escaped prototype', '{"$":["object",{"__proto__":{"isAdmin":true}}]}', []],
    ['endless nesting', `${'['.repeat(300)}${']'.repeat(300)}`, []],
    ['a name of Object.prototype as marker', '{"$":["constructor",0]}', []],
  ])('refuses %s', (_name, text, frames) => {
    expect(thrownBy(() => decodeMessage({ text, frames })).code).toBe('rpc.badArguments');
  });

  test('any text and frames give a value or rpc.badArguments (seeded)', () => {
    const marker = fc
      .tuple(fc.constantFrom('f64', 'u8', 'object', 'number', 'x'), fc.jsonValue())
      .map(($) => ({ $ }));
    const text = fc.oneof(
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      marker.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(text, fc.array(fc.uint8Array(), { maxLength: 3 }), (message, frames) => {
        try {
          decodeMessage({ text: message, frames });
        } catch (error) {
          expect(error).toMatchObject({ code: 'rpc.badArguments' });
        }
      }),
      { seed: 12, numRuns: 1000 },
    );
  });
});
