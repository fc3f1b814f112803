import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asTyped, commandName, commandReach, typedPath } from '../../../src/main/cli/command-name.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('commandName', () => {
  test.each([
    ['start', 'npm start --'],
    ['npx', 'npx gymwright'],
    [undefined, 'npx gymwright'],
  ])('under %s it is %s', (event, name) => {
    expect(commandName({ npm_lifecycle_event: event, PATH: '' })).toBe(name);
  });

  test('is its own name where the shell finds it', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, process.platform === 'win32' ? 'gymwright.cmd' : 'gymwright'), '');
    expect(commandName({ PATH: ['/nowhere', folder].join(delimiter) })).toBe('gymwright');
  });

  test('is what hints name, in backquotes only', () => {
    const hint = 'gymwright: make one with `gymwright init x`, or see `gymwright --help`';
    expect(asTyped(hint, { npm_lifecycle_event: 'npx' })).toBe(
      'gymwright: make one with `npx gymwright init x`, or see `npx gymwright --help`',
    );
  });
});

test('messages name commands in backquotes, by which they are found', () => {
  const inQuotes = ['src/engine', 'src/main', 'src/shared', 'src/workers'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
      .filter((line) => /"gymwright [a-z]|; 'gymwright [a-z]/.test(line)),
  );
  expect(inQuotes).toEqual([]);
});

describe('typedPath', () => {
  test('is relative below the folder, else absolute, and quoted where a shell would split it', () => {
    expect(typedPath('/a/b/c', '/a')).toBe('b/c');
    expect(typedPath('/a', '/a')).toBe('/a');
    expect(typedPath('/a/b c', '/a')).toBe('"b c"');
  });
});

describe('commandReach', () => {
  test('says where the clone is and how to have the command everywhere, unless it is', () => {
    const reach = commandReach('/opt/clone', { npm_lifecycle_event: 'npx' });
    expect(reach).toContain('`npx gymwright` is found in /opt/clone alone; `npm link` there');
    expect(commandReach('/opt/clone', { npm_lifecycle_event: 'start' })).toContain(
      '`npm start --` is found in',
    );
    const folder = temporaryFolder();
    writeFileSync(join(folder, process.platform === 'win32' ? 'gymwright.cmd' : 'gymwright'), '');
    expect(commandReach('/opt/clone', { PATH: folder })).toBeNull();
  });
});
