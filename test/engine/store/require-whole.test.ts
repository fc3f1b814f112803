import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { databasePath, openStore } from '../../../src/engine/store/index.ts';
import { thrownBy } from '../../support/error-code.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A workspace with the files of a run, whose database is then replaced. */
function workspaceWithRun(): string {
  const root = temporaryFolder();
  openStore(root).close();
  mkdirSync(join(root, '.gymwright', 'runs', 's.fixed.1'), { recursive: true });
  for (const side of ['', '-wal', '-shm']) rmSync(`${databasePath(root)}${side}`, { force: true });
  return root;
}

const replacements = [
  { title: 'a folder', replace: (path: string) => mkdirSync(path), says: 'it is a folder' },
  { title: 'an empty file', replace: (path: string) => writeFileSync(path, ''), says: 'files of 1 runs' },
];

describe.each(replacements)('a database replaced by $title', ({ replace, says }) => {
  test.each([true, false])('is not taken for a new one (readOnly %s)', (readOnly) => {
    const root = workspaceWithRun();
    replace(databasePath(root));
    const error = thrownBy(() => (readOnly ? openStore(root, { readOnly }) : openStore(root)));
    expect(error.code).toBe('store.corrupt');
    expect(error.message).toContain(says);
  });
});

test('an empty file in a workspace without runs is a new database', () => {
  const root = temporaryFolder();
  mkdirSync(join(root, '.gymwright'));
  writeFileSync(databasePath(root), '');
  const store = openStore(root);
  expect(store.studies.list()).toEqual([]);
  store.close();
});
