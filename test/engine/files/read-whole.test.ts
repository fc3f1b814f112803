import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readWhole, sha256 } from '../../../src/engine/files/index.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);

describe('readWhole', () => {
  test.each([1, 7, 1000, 4096])('gives the bytes of a file in transfers of %i', (transferBytes) => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, bytes);
    expect(Uint8Array.from(readWhole(path, transferBytes))).toEqual(bytes);
  });

  test('gives nothing of an empty file, and the error of one that is not there', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'empty'), '');
    expect(readWhole(join(folder, 'empty'))).toHaveLength(0);
    expect(() => readWhole(join(folder, 'none'))).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });
});

describe('sha256', () => {
  test('is that of FIPS 180-4, of a text and of bytes in pieces of any size', () => {
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(sha256('abc')).toBe(abc);
    for (const pieceBytes of [1, 2, 3, 4])
      expect(sha256(new TextEncoder().encode('abc'), pieceBytes)).toBe(abc);
    expect(sha256(new Uint8Array())).toBe(sha256(''));
  });
});
