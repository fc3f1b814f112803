import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkDisplay, checkNode, checkWorkspace } from '../../../../src/main/cli/doctor/machine.ts';
import { findPackageFolder } from '../../../../src/main/package-folder.ts';
import { parseLines, runCli } from '../../../support/run-cli.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

describe('doctor', () => {
  test('finds the native parts of this machine in order, and says what to do about the rest', async () => {
    const { code, stdout } = await runCli(['doctor', '--json']);
    const findings = parseLines(stdout);
    const stateOf = (name: string) => findings.find((each) => each.name === name)?.state;
    for (const name of ['Node', 'simulator addon', 'SQLite', 'ONNX Runtime'])
      expect(stateOf(name), name).toBe('ok');
    for (const { name, state, advice } of findings) {
      expect(state === 'ok' ? advice : typeof advice, String(name)).toBe(state === 'ok' ? null : 'string');
    }
    expect(code).toBe(0);
  }, 90_000);
});

describe('checkNode', () => {
  test('a Node that cannot load the database is missing something', () => {
    expect(checkNode({ ...process.versions, node: '20.20.2', napi: '9' })).toMatchObject({
      state: 'missing',
    });
  });
});

describe('checkWorkspace', () => {
  test('the clone is no workspace, whatever lies in it', () => {
    const [found] = checkWorkspace(findPackageFolder());
    expect(found).toMatchObject({
      name: 'workspace',
      state: 'limited',
      detail: expect.stringContaining('the clone'),
    });
  });

  test('a folder without the parts of a workspace is none', () => {
    const folder = temporaryFolder();
    expect(checkWorkspace(folder)[0]).toMatchObject({ name: 'workspace', state: 'limited' });
    mkdirSync(path.join(folder, 'experiments'));
    expect(checkWorkspace(folder)[0]).toMatchObject({ name: 'workspace', state: 'ok' });
  });
});

describe('checkDisplay', () => {
  test('no display on Linux limits to the browser', () => {
    expect(checkDisplay({}, 'linux')).toMatchObject({
      state: 'limited',
      advice: expect.stringContaining('serve'),
    });
  });

  test.each([[{ DISPLAY: ':0' }], [{ WAYLAND_DISPLAY: 'wayland-0' }]])('%j is one', (env) => {
    expect(checkDisplay(env, 'linux').state).toBe('ok');
  });
});
