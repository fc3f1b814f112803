import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { arenaHost } from '../../../support/edl-arena.ts';
import { environmentOf, pointedAt } from '../../../support/edl-text.ts';

function clash(declarations: string): string[] {
  const text = environmentOf(declarations, 'arena');
  const found = compile(text, arenaHost()).diagnostics.filter(({ code }) => code === 'EDL211');
  return found.map((diagnostic) => `${pointedAt(text, diagnostic)}: ${diagnostic.message}`);
}

const loop = (name: string) => `reward r { for ${name} in agent give 1 to ${name} }`;

describe('bindVariable', () => {
  test.each([
    ['zone', 'a set of the scenario'],
    ['goal', 'a set of the scenario'],
    ['agent_0', 'an entity of the scenario'],
    ['time', 'a signal of the scenario'],
    ['distance', 'a function of the language'],
    ['centroid', 'a function of the language'],
    ['recent', 'a function of the language'],
    ['mean', 'a function of the language'],
    ['steps', 'a unit'],
    ['coverage', 'a metric of the scenario'],
    ['self', 'the agent that an npc plays'],
  ])('a variable named %s would hide %s', (name, what) => {
    expect(clash(loop(name))).toEqual([`${name}: '${name}' is already ${what}: choose another name`]);
    const aggregate = `reward r { for a in agent give count(${name} in other(a)) to a }`;
    expect(clash(aggregate)).toEqual([`${name}: '${name}' is already ${what}: choose another name`]);
  });

  test('a variable may not hide another around it, but one beside it', () => {
    expect(clash('reward r { for a in agent give count(a in agent) to a }')).toEqual([
      "a: 'a' is already a loop variable: choose another name",
    ]);
    expect(clash('reward r { for a in agent for a in agent give 1 to a }')).toHaveLength(1);
    expect(clash('reward r { give count(a in agent) + count(a in zone) to agent }')).toEqual([]);
  });

  test('an event of the text may not be hidden, wherever it stands', () => {
    const event = 'event gust { every 20 steps disturb push agent }';
    for (const edl of [`${event} ${loop('gust')}`, `${loop('gust')} ${event}`])
      expect(clash(edl)).toHaveLength(1);
  });

  test('words that mean something in one place only are free', () => {
    for (const name of ['start', 'policy', 'random', 'unit', 'penalty'])
      expect(clash(loop(name))).toEqual([]);
  });
});
