import { expect, test } from 'vitest';
import { translateFileError } from '../../../src/engine/workspace/file-errors.ts';

const failure = (code: string): Error => Object.assign(new Error(`${code}: it failed`), { code });

test.each([
  ['ENOSPC', 'workspace.diskFull'],
  ['EDQUOT', 'workspace.diskFull'],
  ['EROFS', 'workspace.readOnly'],
  ['ENOENT', 'workspace.notFound'],
  ['EACCES', 'workspace.unreadable'],
  ['EIO', 'workspace.unreadable'],
])('%s becomes %s and names the file', (errno, code) => {
  const error = translateFileError(failure(errno), 'environments/a.edl');
  expect(error.code).toBe(code);
  expect(error.message).toContain('environments/a.edl');
  expect(error.cause).toBeInstanceOf(Error);
});

test('refused permission is read-only to a writer', () => {
  expect(translateFileError(failure('EACCES'), 'a.edl', 'workspace.readOnly').code).toBe(
    'workspace.readOnly',
  );
});
