import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chooseWorkspace, workspaceArgument } from '../../../src/main/desktop/workspace-choice.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gymwright-choice-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('workspaceArgument', () => {
  test('reads both spellings and makes the folder absolute', () => {
    expect(workspaceArgument(['/app', '--workspace', 'sample'], '/home/ada')).toBe(
      path.resolve('/home/ada', 'sample'),
    );
    expect(workspaceArgument(['--workspace=/w', '--other'], '/')).toBe(path.resolve('/w'));
    expect(workspaceArgument(['/app', '--no-sandbox'], '/')).toBeNull();
  });

  test('an option without its folder is input.invalid', () => {
    expect(() => workspaceArgument(['--workspace'], '/')).toThrowError(/--workspace DIR/);
    expect(() => workspaceArgument(['--workspace', '--no-sandbox'], '/')).toThrowError(/--workspace DIR/);
  });
});

describe('chooseWorkspace', () => {
  const sources = () => ({
    argument: null,
    last: null,
    sample: path.join(folder, 'sample'),
    createSample: (target: string) => void mkdirSync(target),
  });

  test('prefers the one asked for, then the last one, then the sample', () => {
    const last = path.join(folder, 'last');
    mkdirSync(last);
    expect(chooseWorkspace({ ...sources(), argument: folder, last })).toBe(folder);
    expect(chooseWorkspace({ ...sources(), last })).toBe(last);
    expect(chooseWorkspace({ ...sources(), last: path.join(folder, 'deleted') })).toBe(
      path.join(folder, 'sample'),
    );
  });

  test('a folder asked for that is not there is input.notFound, and nothing is created', () => {
    const argument = path.join(folder, 'nowhere');
    expect(() => chooseWorkspace({ ...sources(), argument })).toThrowError(
      expect.objectContaining({ code: 'input.notFound' }),
    );
  });
});
