import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readGgufHeader } from '../../../../src/engine/coach/model/gguf-reader.ts';
import { AppError } from '../../../../src/shared/std/app-error.ts';
import { thrownBy } from '../../../support/error-code.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { tinyGguf } from '../../../support/tiny-gguf.ts';

const whole = tinyGguf();

function write(bytes: Buffer): string {
  const path = join(temporaryFolder(), 'model.gguf');
  writeFileSync(path, bytes);
  return path;
}

/** The file with some bytes replaced. */
function altered(offset: number, bytes: readonly number[]): string {
  const copy = Buffer.from(whole);
  copy.set(bytes, offset);
  return write(copy);
}

describe('readGgufHeader', () => {
  test('reads metadata, array lengths and tensors', () => {
    const header = readGgufHeader(write(whole));
    expect(header.version).toBe(3);
    expect(header.metadata.get('general.architecture')).toBe('llama');
    expect(header.metadata.get('llama.context_length')).toBe(512);
    expect(header.metadata.get('tokenizer.ggml.add_space_prefix')).toBe(false);
    expect(header.arrayLengths.get('tokenizer.ggml.tokens')).toBe(260);
    // What each token is: unknown, control, bytes.
    expect(header.numberLists.get('tokenizer.ggml.token_type')?.slice(0, 4)).toEqual([2, 3, 3, 6]);
    expect(header.numberLists.has('tokenizer.ggml.tokens')).toBe(false);
    expect(header.tensors.map(({ name }) => name)).toContain('blk.1.ffn_down.weight');
    const last = header.tensors.at(-1);
    expect(header.dataOffset + (last?.offset ?? 0) + (last?.bytes ?? 0)).toBe(whole.length);
  });

  test('says how many bytes of which tensor a truncated file lacks', () => {
    const error = thrownBy(() => readGgufHeader(write(whole.subarray(0, whole.length - 100))));
    expect(error.code).toBe('model.invalid');
    expect(error.message).toMatch(/cut short: 100 bytes of tensor "output.weight" are missing at byte \d+/);
    expect(error.data).toMatchObject({ offset: whole.length - 100 });
  });

  test('names the metadata in which a file ends', () => {
    const error = thrownBy(() => readGgufHeader(write(whole.subarray(0, 60))));
    expect(error.code).toBe('model.invalid');
    expect(error.message).toMatch(/the file ends inside .* at byte \d+/);
  });

  test.each([
    ['another magic number', 0, [0x50, 0x4b], /magic number is wrong at byte 0/],
    ['an unknown version', 4, [9], /version 9 is not supported .* at byte 4/],
    ['no tensors at all', 8, [0, 0, 0, 0, 0, 0, 0, 0], /no tensors.* at byte 8/],
    [
      'an impossible tensor count',
      8,
      [255, 255, 255, 255, 255, 255, 255, 255],
      /tensor count .* impossible at byte 8/,
    ],
    ['an absurd metadata count', 16, [0, 0, 0, 255], /claims \d+ metadata entries at byte 16/],
    ['a key longer than the file', 24, [255, 255, 255, 127], /claims 2147483647 bytes .* at byte 24/],
    ['an unknown value type', 52, [77], /unknown value type 77/],
  ])('refuses %s with its offset', (_, offset, bytes, message) => {
    const error = thrownBy(() => readGgufHeader(altered(offset, bytes)));
    expect(error.code).toBe('model.invalid');
    expect(error.message).toMatch(message);
  });

  test('a missing file and a folder are model.notFound', () => {
    expect(thrownBy(() => readGgufHeader(join(temporaryFolder(), 'none.gguf'))).code).toBe('model.notFound');
    expect(thrownBy(() => readGgufHeader(temporaryFolder())).code).toBe('model.notFound');
  });

  test('an empty file is invalid', () => {
    expect(thrownBy(() => readGgufHeader(write(Buffer.alloc(0)))).code).toBe('model.invalid');
  });

  test('any corruption of the header either still reads or is model.invalid (seed 1)', () => {
    const { dataOffset } = readGgufHeader(write(whole));
    const path = write(whole);
    const patch = fc.tuple(fc.nat(dataOffset - 1), fc.uint8Array({ minLength: 1, maxLength: 9 }));
    fc.assert(
      fc.property(patch, ([offset, bytes]) => {
        const copy = Buffer.from(whole.subarray(0, dataOffset));
        copy.set(bytes.subarray(0, dataOffset - offset), offset);
        writeFileSync(path, Buffer.concat([copy, whole.subarray(dataOffset)]));
        try {
          readGgufHeader(path);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(AppError);
          expect((thrown as AppError).code).toBe('model.invalid');
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
