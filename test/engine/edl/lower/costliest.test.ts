import { expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { scenarioHost } from '../../../../src/engine/language/scenario-host.ts';

function refusal(body: string): { message: string; at: string } {
  const text = `environment e extends simple_spread {\n${body}\n}`;
  const [only, ...more] = compile(text, scenarioHost).diagnostics.filter(
    ({ severity }) => severity === 'error',
  );
  expect(only?.code).toBe('EDL504');
  expect(more).toEqual([]);
  const { start, end } = only?.range ?? { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  return {
    message: only?.message ?? '',
    at: text.split('\n')[start.line]?.slice(start.character, end.character) ?? '',
  };
}

const five = [...'abcde'].map((name) => `for ${name} in agent`).join(' ');
const many = (count: number, seed: number): string =>
  Array.from({ length: count }, (_, i) => `distance(a, b) * ${i + 1}.${seed}`).join(' + ');

test('names the declaration that alone is too much, and its loops', () => {
  const { message, at } = refusal(
    `set agent.count = 10 reward calm { give 1 to agent }\nreward crowd { ${five} give distance(a, b) * distance(c, d) / distance(e, a) to a }`,
  );
  expect(at).toBe('crowd');
  expect(message).toMatch(/^.*at most|more than.*; the costliest is reward 'crowd', whose 5 loops multiply$/);
});

test('many cheap declarations: the figure, the costliest, and nothing about loops where there are none', () => {
  const cheap = Array.from(
    { length: 14 },
    (_, i) => `reward r${i} { for a in agent for b in agent give ${many(15 + i, i)} to a }`,
  );
  const { message, at } = refusal(`set agent.count = 10\n${cheap.join('\n')}`);
  expect(at).toBe('r13');
  const [, figure] =
    /^(\d+) instructions per step, at most 20000; the costliest is reward 'r13' \((\d+) instructions\)/.exec(
      message,
    ) ?? [];
  expect(Number(figure)).toBeGreaterThan(20_000);
  const flat = Array.from({ length: 5000 }, (_, i) => `metric m${i} { time / ${i + 1} unit s }`).join('\n');
  expect(refusal(flat).message).not.toContain('loop');
});
