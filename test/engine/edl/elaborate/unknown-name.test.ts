import { expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { scenarioHost } from '../../../../src/engine/language/scenario-host.ts';
import type { Diagnostic } from '../../../../src/shared/contract/edl.ts';

function diagnosed(scenario: string, body: string): Diagnostic[] {
  return compile(`environment e extends ${scenario} {\n${body}\n}`, scenarioHost).diagnostics;
}

test.each([
  ['simple_spread', 'reward r { when true give 1 to agent }', "needs no 'when'"],
  ['simple_spread', 'issue r { when coverage < 50% until false }', 'is left out'],
  [
    'simple_spread',
    'reward r { give 1 to agent_7 }',
    'there are agent_0 to agent_2; agent.count says how many',
  ],
  ['simple_spread', 'reward r { for a in agent_7 give 1 to a }', 'there are agent_0 to agent_2'],
  [
    'capture',
    'reward r { when red_assault_9.health < 30% give 1 to red }',
    'there are red_assault_0 to red_assault_1; red.assault.count says how many',
  ],
  ['capture', 'npc n { control blue_support_4 otherwise hold }', 'there is only blue_support_0'],
  [
    'capture',
    'npc n { control blue take when distance < 5 m otherwise hold }',
    "name one, as in 'take nearest(point) when distance …'",
  ],
  ['capture', 'npc n { control blue hold when distance < 5 m otherwise hold }', 'write distance(self, …)'],
])('%s: %s', (scenario, body, words) => {
  const [only, ...more] = diagnosed(scenario, body);
  expect(only?.message).toContain(words);
  expect(more).toEqual([]);
});

test('a time between steps is told in plain figures', () => {
  const [only] = diagnosed('simple_spread', 'event e { every 0.01 s disturb push agent_0 }');
  expect(only?.message).toContain('not 0.1');
  expect(only?.message).not.toContain('0.0999');
  expect(only?.suggestions).toEqual(['1 step']);
});

test.each(['regime calm default regime rout', 'stage rout'])('%s keeps to what goes together', (start) => {
  const settings = '{ set blue.assault.count = 0 set blue.support.count = 0 }';
  const rest = start.startsWith('regime') ? 'schedule { at step 5 enter rout }' : '';
  const [only, ...more] = diagnosed('capture', `${start} ${settings} ${rest}`);
  expect(only?.code).toBe('EDL404');
  expect(only?.message).toContain('team blue of scenario capture has no units');
  expect(only?.range.start).toEqual({ line: 1, character: start.length + 30 });
  expect(more).toEqual([]);
  const one = '{ set blue.support.count = 0 }';
  const room = 'capacity blue_support 1 capacity blue_assault 2';
  expect(diagnosed('capture', `${start} ${settings} ${rest} ${room}`)).toMatchObject([{ code: 'EDL404' }]);
  expect(diagnosed('capture', `${start} ${one} ${rest} ${room}`)).toEqual([]);
});
