import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { maxTextBytes, openWorkspaceFiles } from '../../../src/engine/workspace/files.ts';
import { thrownBy } from '../../support/error-code.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function workspace(files: Record<string, string> = {}) {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { root, files: openWorkspaceFiles(root) };
}

describe('list', () => {
  test('gives files and folders by path, with what they are', () => {
    const { files } = workspace({
      'environments/spread.edl': 'e',
      'experiments/spread.yaml': 'x',
      'prompts/rank.md': 'p',
      'notes.md': 'n',
      'models/tiny.gguf': 'g',
    });
    expect(files.list().map(({ path, kind }) => [path, kind])).toEqual([
      ['environments', 'folder'],
      ['environments/spread.edl', 'environment'],
      ['experiments', 'folder'],
      ['experiments/spread.yaml', 'experiment'],
      ['models', 'folder'],
      ['models/tiny.gguf', 'model'],
      ['notes.md', 'other'],
      ['prompts', 'folder'],
      ['prompts/rank.md', 'prompt'],
    ]);
  });

  test('leaves out hidden files, node_modules and the results', () => {
    const { files } = workspace({
      '.git/config': 'x',
      '.gymwright/gymwright.db': 'x',
      'node_modules/a/b.js': 'x',
      'a.edl': 'x',
    });
    expect(files.list().map(({ path }) => path)).toEqual(['a.edl']);
  });

  test('does not follow a link out of the workspace', () => {
    const { root, files } = workspace({ 'a.edl': 'x' });
    symlinkSync('/etc', join(root, 'elsewhere'));
    symlinkSync(join(root, 'a.edl'), join(root, 'b.edl'));
    expect(files.list().map(({ path }) => path)).toEqual(['a.edl', 'b.edl']);
  });

  test('ends where a folder links to itself', () => {
    const { root, files } = workspace({ 'a/b.edl': 'x' });
    symlinkSync(join(root, 'a'), join(root, 'a', 'loop'));
    expect(files.list().length).toBeLessThan(100);
  });

  test.skipIf(process.platform === 'win32')('a folder inside that cannot be read shows as empty', () => {
    const { root, files } = workspace({ 'open/a.edl': 'x', 'shut/b.edl': 'x' });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'shut'), 0o000);
    expect(asOrdinaryUser(() => files.list()).map(({ path }) => path)).toEqual([
      'open',
      'open/a.edl',
      'shut',
    ]);
    chmodSync(join(root, 'shut'), 0o755);
  });
});

describe('read', () => {
  test('gives text and the SHA-256 of the bytes', () => {
    const { files } = workspace({ 'a.edl': 'abc' });
    expect(files.read('a.edl')).toEqual({
      text: 'abc',
      hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    });
  });

  test('keeps a byte order mark, so that writing back changes nothing', () => {
    const { root, files } = workspace({ 'a.edl': '\uFEFFabc\r\n' });
    const { text, hash } = files.read('a.edl');
    files.write('a.edl', text, hash);
    expect(readFileSync(join(root, 'a.edl'), 'utf8')).toBe('\uFEFFabc\r\n');
  });

  test.each([
    '../secret',
    '/etc/passwd',
    'a/../../b',
    'C:\\x',
    'a\\..\\b',
    '.gymwright/gymwright.db',
    'x/.git/config',
    'a\0b',
    '.',
    'a/..',
  ])('the path %j is input.invalid', (path) => {
    const { files } = workspace({ 'a.edl': 'x' });
    expect(thrownBy(() => files.read(path)).code).toBe('input.invalid');
    expect(thrownBy(() => files.write(path, 'x', null)).code).toBe('input.invalid');
  });

  test('a link out of the workspace is input.invalid, to read and to write through', () => {
    const { root, files } = workspace();
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    symlinkSync(join(outside, 'secret.txt'), join(root, 'file.edl'));
    symlinkSync(outside, join(root, 'folder'));
    symlinkSync(join(outside, 'not-yet.txt'), join(root, 'dangling.edl'));
    for (const path of ['file.edl', 'folder/secret.txt'])
      expect(thrownBy(() => files.read(path)).code).toBe('input.invalid');
    for (const path of ['file.edl', 'folder/new.edl', 'dangling.edl']) {
      expect(thrownBy(() => files.write(path, 'x', null)).code).toBe('input.invalid');
    }
    expect(readdirSync(outside)).toEqual(['secret.txt']);
  });

  test('what is no text is refused by name: binary, Latin-1, too large, a folder, missing', () => {
    const { root, files } = workspace({ 'folder/a.edl': 'x' });
    writeFileSync(join(root, 'binary.onnx'), Buffer.from([8, 0, 1]));
    writeFileSync(join(root, 'latin.edl'), Buffer.from('caf\xe9', 'latin1'));
    writeFileSync(join(root, 'huge.edl'), '');
    truncateSync(join(root, 'huge.edl'), maxTextBytes + 1);
    for (const path of ['binary.onnx', 'latin.edl', 'huge.edl', 'folder']) {
      const error = thrownBy(() => files.read(path));
      expect(error.code).toBe('input.invalid');
      expect(error.message).toContain(path);
    }
    expect(thrownBy(() => files.read('missing.edl')).code).toBe('workspace.notFound');
  });
});

describe('write', () => {
  test.each(['a\0b', 'half \ud83d'])('refuses %j, which could not be read back', (text) => {
    const { files } = workspace({ 'a.edl': 'x' });
    const { hash } = files.read('a.edl');
    expect(() => files.write('a.edl', text, hash)).toThrow(/null character or half of a surrogate pair/);
    expect(files.read('a.edl').text).toBe('x');
  });

  test('replaces a file that is as it was read, and creates one that is not there', () => {
    const { root, files } = workspace({ 'a.edl': 'old' });
    const { hash } = files.write('a.edl', 'new', files.read('a.edl').hash);
    expect(files.read('a.edl')).toEqual({ text: 'new', hash });
    files.write('deep/er/b.edl', 'b', null);
    expect(files.read('deep/er/b.edl').text).toBe('b');
    expect(readdirSync(root).sort()).toEqual(['a.edl', 'deep']);
  });

  test('a file that changed, vanished or appeared meanwhile is workspace.conflict and stays', () => {
    const { root, files } = workspace({ 'a.edl': 'mine' });
    const { hash } = files.read('a.edl');
    writeFileSync(join(root, 'a.edl'), 'theirs');
    const error = thrownBy(() => files.write('a.edl', 'ours', hash));
    expect(error).toMatchObject({ code: 'workspace.conflict', data: { hash: files.read('a.edl').hash } });
    expect(thrownBy(() => files.write('a.edl', 'ours', null)).code).toBe('workspace.conflict');
    expect(thrownBy(() => files.write('gone.edl', 'ours', hash)).code).toBe('workspace.conflict');
    expect(files.read('a.edl').text).toBe('theirs');
  });

  test.skipIf(process.platform === 'win32')(
    'a folder that cannot be written is workspace.readOnly and loses nothing',
    () => {
      const { root, files } = workspace({ 'a.edl': 'old' });
      const { hash } = files.read('a.edl');
      chmodSync(root, 0o555);
      const error = asOrdinaryUser(() => thrownBy(() => files.write('a.edl', 'new', hash)));
      expect(error.code).toBe('workspace.readOnly');
      chmodSync(root, 0o755);
      expect(files.read('a.edl').text).toBe('old');
    },
  );
});

describe('openWorkspaceFiles', () => {
  test('a workspace that went away is workspace.notFound to whoever lists, reads or writes, and is not made anew', () => {
    const { root, files } = workspace({ 'a.edl': 'e' });
    renameSync(root, join(temporaryFolder(), 'elsewhere'));
    const tries = [() => files.list(), () => files.read('a.edl'), () => files.write('b.edl', 'e', null)];
    for (const attempt of tries)
      expect(thrownBy(attempt)).toMatchObject({
        code: 'workspace.notFound',
        message: expect.stringContaining(root),
      });
    expect(existsSync(root)).toBe(false);
  });

  test('a file is no workspace, a missing folder is workspace.notFound', () => {
    const { root } = workspace({ 'a.edl': 'x' });
    expect(thrownBy(() => openWorkspaceFiles(join(root, 'a.edl'))).code).toBe('input.invalid');
    expect(thrownBy(() => openWorkspaceFiles(join(root, 'nowhere'))).code).toBe('workspace.notFound');
  });
});

test.each([
  ['through a file', 'a.edl/x.edl'],
  ['a name too long', `${'x'.repeat(300)}.edl`],
])('a path that no file can have is told as one: %s', (_title, path) => {
  const { files } = workspace({ 'a.edl': 'x' });
  expect(['workspace.notFound', 'input.invalid']).toContain(thrownBy(() => files.read(path)).code);
  expect(thrownBy(() => files.write(path, 'x', null)).code).toBe('input.invalid');
});
