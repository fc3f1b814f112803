import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { matchesName, prepareDirectory, writeContentFile } from '../../../src/engine/train/files.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const bytes = new TextEncoder().encode('content');

describe('writeContentFile', () => {
  test('names a file by its content and leaves nothing else behind', () => {
    const folder = temporaryFolder();
    const { file, sha256 } = writeContentFile(folder, 'record', 'gwr', bytes);
    expect(file).toBe('record-ed7002b439e9ac845f22357d822bac14.gwr');
    expect(sha256).toMatch(/^ed7002b439e9ac845f22357d822bac14/);
    expect(readdirSync(folder)).toEqual([file]);
    expect(matchesName(file, readFileSync(join(folder, file)))).toBe(true);
  });

  test('the same content again is the same file', () => {
    const folder = temporaryFolder();
    expect(writeContentFile(folder, 'a', 'b', bytes)).toEqual(writeContentFile(folder, 'a', 'b', bytes));
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test('a folder that is gone is workspace.unreadable and leaves nothing', () => {
    const folder = join(temporaryFolder(), 'gone');
    expect(() => writeContentFile(folder, 'a', 'b', bytes)).toThrow(
      expect.objectContaining({ code: 'workspace.unreadable' }),
    );
  });
});

describe('matchesName', () => {
  test('tells changed content and names without a hash', () => {
    const { file } = writeContentFile(temporaryFolder(), 'a', 'b', bytes);
    expect(matchesName(file, bytes.slice(1))).toBe(false);
    expect(matchesName('checkpoint.gwc', bytes)).toBe(false);
  });
});

describe('prepareDirectory', () => {
  test('makes the folder and clears what was left half written, and nothing else', () => {
    const folder = join(temporaryFolder(), 'runs', 'one');
    prepareDirectory(folder);
    writeFileSync(join(folder, '.partial-1-checkpoint-x.gwc'), 'half');
    writeFileSync(join(folder, 'checkpoint-x.gwc'), 'whole');
    prepareDirectory(folder);
    expect(readdirSync(folder)).toEqual(['checkpoint-x.gwc']);
  });

  test('a file in its place is an error that names it', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'runs'), '');
    expect(() => prepareDirectory(join(folder, 'runs'))).toThrow(/cannot use .*runs/);
    rmSync(join(folder, 'runs'));
    mkdirSync(join(folder, 'runs'));
    expect(() => prepareDirectory(join(folder, 'runs'))).not.toThrow();
  });
});
