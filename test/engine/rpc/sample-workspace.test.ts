import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSampleWorkspace } from '../../../src/engine/rpc/sample-workspace.ts';
import { openWorkspaceFiles } from '../../../src/engine/workspace/index.ts';
import { thrownBy } from '../../support/error-code.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('createSampleWorkspace', () => {
  test('writes environments, experiments and prompts into a new folder', () => {
    const root = join(temporaryFolder(), 'sample');
    const written = createSampleWorkspace(root);
    expect(written).toEqual(
      expect.arrayContaining(['experiments/quickstart.yaml', 'environments/spread.edl']),
    );
    const kinds = new Set(
      openWorkspaceFiles(root)
        .list()
        .map(({ kind }) => kind),
    );
    expect(kinds).toEqual(new Set(['folder', 'environment', 'experiment', 'prompt']));
  });

  test('done again it keeps what was edited and brings back what was deleted', () => {
    const root = temporaryFolder();
    createSampleWorkspace(root);
    writeFileSync(join(root, 'environments', 'spread.edl'), 'mine');
    expect(createSampleWorkspace(root)).toEqual([]);
    expect(readFileSync(join(root, 'environments', 'spread.edl'), 'utf8')).toBe('mine');
  });

  test('a folder that holds other things is workspace.conflict and stays as it is', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'thesis'));
    const error = thrownBy(() => createSampleWorkspace(root));
    expect(error).toMatchObject({ code: 'workspace.conflict', message: expect.stringContaining('thesis') });
    expect(
      openWorkspaceFiles(root)
        .list()
        .map(({ path }) => path),
    ).toEqual(['thesis']);
  });
});
