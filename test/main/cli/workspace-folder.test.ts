import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findExistingWorkspace } from '../../../src/main/cli/workspace-folder.ts';
import { thrownBy } from '../../support/error-code.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a folder that is no workspace is refused, naming the ones nearby', () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'quick', '.gymwright'), { recursive: true });
  const error = thrownBy(() => findExistingWorkspace(undefined, folder));
  expect(error).toMatchObject({
    code: 'workspace.notFound',
    message: expect.stringContaining('nearby is quick:'),
  });
  expect(findExistingWorkspace(undefined, path.join(folder, 'quick'))).toBe(path.join(folder, 'quick'));
});

test('a folder with environments that was never trained in is a workspace', () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'environments'));
  expect(findExistingWorkspace(folder)).toBe(folder);
});
