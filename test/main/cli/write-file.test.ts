import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isStandardOutput, writeOutputFile } from '../../../src/main/cli/write-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'gymwright-write-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('writeOutputFile', () => {
  test('makes the folders on the way', () => {
    const file = path.join(folder, 'a', 'b.csv');
    writeOutputFile(file, 'text');
    expect(readFileSync(file, 'utf8')).toBe('text');
  });

  test('refuses a folder and leaves nothing behind', () => {
    expect(() => writeOutputFile(folder, 'text')).toThrow(/cannot write/);
    const left = readdirSync(path.dirname(folder)).filter((name) => name.includes(path.basename(folder)));
    expect(left).toEqual([path.basename(folder)]);
  });

  test('takes "-" for no file', () => {
    expect(() => writeOutputFile('-', 'text')).toThrow('"-" names no file to write here');
    expect([undefined, '-', './-', 'a'].map(isStandardOutput)).toEqual([true, true, false, false]);
  });

  test('refuses a path through a file', () => {
    writeFileSync(path.join(folder, 'file'), '');
    expect(() => writeOutputFile(path.join(folder, 'file', 'x'), '')).toThrow(/part of the path is a file/);
  });
});
