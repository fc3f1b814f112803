import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type FileVerb, fileError } from '../../../src/engine/files/file-error.ts';

const failure = (code: string): Error => Object.assign(new Error(`${code}: it failed`), { code });

describe('fileError', () => {
  test.each([
    ['ENOSPC', 'write', 'workspace.diskFull'],
    ['EDQUOT', 'write', 'workspace.diskFull'],
    ['EROFS', 'create', 'workspace.readOnly'],
    ['EACCES', 'write', 'workspace.readOnly'],
    ['EACCES', 'read', 'workspace.unreadable'],
    ['ENOENT', 'read', 'workspace.notFound'],
    ['ENOENT', 'write', 'workspace.unreadable'],
    ['ENOTDIR', 'read', 'workspace.notFound'],
    ['ENOTDIR', 'write', 'input.invalid'],
    ['EIO', 'use', 'workspace.unreadable'],
  ] satisfies [string, FileVerb, string][])('%s while trying to %s is %s', (errno, verb, code) => {
    const error = fileError(failure(errno), verb, 'environments/a.edl');
    expect(error.code).toBe(code);
    expect(error.message).toContain(`cannot ${verb} environments/a.edl: `);
    expect(error.data).toEqual({ path: 'environments/a.edl', errno });
    expect(error.cause).toBeInstanceOf(Error);
  });

  test.skipIf(process.platform !== 'linux')('a device without room is workspace.diskFull', () => {
    // /dev/full accepts an open and fails every write with ENOSPC.
    let thrown: unknown;
    try {
      writeFileSync('/dev/full', 'x');
    } catch (error) {
      thrown = error;
    }
    expect(fileError(thrown, 'write', 'checkpoint.gwc')).toMatchObject({
      code: 'workspace.diskFull',
      message: 'cannot write checkpoint.gwc: the disk is full; free some space and try again.',
    });
  });
});
