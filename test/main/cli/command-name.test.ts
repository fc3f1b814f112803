import { describe, expect, test } from 'vitest';
import { commandName, typedPath } from '../../../src/main/cli/command-name.ts';

describe('commandName', () => {
  test.each([
    ['start', 'npm start --'],
    ['npx', 'npx gymwright'],
    [undefined, 'gymwright'],
  ])('under %s it is %s', (event, name) => expect(commandName({ npm_lifecycle_event: event })).toBe(name));
});

describe('typedPath', () => {
  test('is relative below the folder, else absolute, and quoted where a shell would split it', () => {
    expect(typedPath('/a/b/c', '/a')).toBe('b/c');
    expect(typedPath('/a', '/a')).toBe('/a');
    expect(typedPath('/a/b c', '/a')).toBe('"b c"');
  });
});
