import { describe, expect, test } from 'vitest';
import type { Command } from '../../../src/renderer/app/commands.ts';
import { rankCommands } from '../../../src/renderer/app/rank-commands.ts';

function makeCommand(title: string, change: Partial<Command> = {}): Command {
  return { id: title, title, group: 'Files', isEnabled: true, run: () => undefined, ...change };
}

const commands = [
  makeCommand('Start my.yaml', { onlyAfter: 'start' }),
  makeCommand('Save'),
  makeCommand('Open my.yaml'),
  makeCommand('Open quickstart.yaml'),
];
/** The share of typed words that occur. */
function countWords(value: string, search: string): number {
  const words = search.toLowerCase().split(' ');
  return words.filter((word) => value.toLowerCase().includes(word)).length / words.length;
}
const titles = (search: string) => rankCommands(commands, search, countWords).map(({ title }) => title);

describe('rankCommands', () => {
  test.each(['my.yaml', 'my', 'y'])('"%s" opens and starts nothing', (search) => {
    expect(titles(search)[0]).toMatch(/^Open/);
    expect(titles(search)).not.toContain('Start my.yaml');
  });

  test.each(['start my', 'my.yaml start', 'Sta my'])('"%s" puts the start first', (search) => {
    expect(titles(search)[0]).toBe('Start my.yaml');
  });

  test('leaves out what does not fit, even after the word', () => {
    expect(titles('save')).toEqual(['Save']);
    expect(rankCommands(commands, 'start', () => 0)).toEqual([]);
  });
});
