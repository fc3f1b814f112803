import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileError, makeFolder } from '../../../src/engine/files/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const codeOf = (work: () => void): unknown => {
  try {
    work();
  } catch (thrown) {
    return fileError(thrown, 'create', 'x').code;
  }
  return null;
};

describe('makeFolder', () => {
  test('makes what is missing on the way, and takes what is there', () => {
    const root = temporaryFolder();
    const folder = join(root, 'a', 'b', 'c');
    makeFolder(folder, 0o700);
    makeFolder(folder);
    expect(statSync(folder).isDirectory()).toBe(true);
    if (process.platform !== 'win32') expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('a file on the way is told as one', () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'file'), '');
    expect(codeOf(() => makeFolder(join(root, 'file')))).toBe('input.invalid');
    expect(codeOf(() => makeFolder(join(root, 'file', 'below', 'it')))).toBe('input.invalid');
  });

  test.runIf(process.platform === 'linux')('ends where the parent refuses every new folder', () => {
    expect(codeOf(() => makeFolder('/proc/gymwright-none'))).toBe('workspace.readOnly');
    expect(codeOf(() => makeFolder('/proc/gymwright-none/below'))).toBe('workspace.readOnly');
  });
});
