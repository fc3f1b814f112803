import { describe, expect, test } from 'vitest';
import { describeReadings, type Readings } from '../../../src/engine/describe/describe-readings.ts';
import { parseTemplate } from '../../../src/engine/describe/parse-template.ts';
import type { Template } from '../../../src/engine/describe/template.ts';

const agents = ['red_0', 'red_1', 'blue_0'];

function templateOf(text: string): Template {
  const { template, problems } = parseTemplate(text);
  if (template === null) throw new Error(JSON.stringify(problems));
  return template;
}

const template = templateOf(`
scenario: any
slots:
  alive: {count: x, noun: soldier}
  health: {level: x, levels: [scarce, 30, tight, 60, ample], margin: 5, trend: {step: 10, settle: 2}}
  odds: {ratio: {of: x, to: y}, step: 0.5}
  way: {number: x, unit: m, step: 0.5, missing: no way}
  own: {for: a in red, level: x, levels: [weak, 50, strong], margin: 5}
text:
  - "{{alive}}, health {{health}} ({{health.trend}}), odds {{odds}}, {{way}} to go."
  - {text: "Retreat is due.", when: {health: [scarce]}}
  - "{{agent}} is {{own}}."
`);

const calm: Readings = {
  alive: 2,
  health: 80,
  'odds.of': 2,
  'odds.to': 1,
  way: 1.9,
  own: [90, 20, Number.NaN],
};

describe('describeReadings', () => {
  test('has no word for a value that its rounding carries beyond all numbers', () => {
    const { text, words, state } = describeReadings(template, agents, { ...calm, way: 1.7e308 }, null);
    expect(text).toContain('no way to go');
    expect(words).not.toHaveProperty('way');
    expect(state.slots.way?.shown).toBeNull();
  });

  test('fills the lines, one for each agent that has values', () => {
    const { text, words } = describeReadings(template, agents, calm, null);
    expect(text).toBe(
      '2 soldiers, health ample (steady), odds 2 to 1, 2 m to go.\nred_0 is strong.\nred_1 is weak.',
    );
    expect(words).toEqual({
      alive: '2 soldiers',
      health: 'ample',
      odds: '2 to 1',
      way: '2 m',
      'own/red_0': 'strong',
      'own/red_1': 'weak',
    });
  });

  test('what moves by less than its margin leaves the text as it is, however long it trembles', () => {
    const first = describeReadings(template, agents, { ...calm, health: 61, way: 1.76 }, null);
    let { state } = first;
    for (let i = 0; i < 200; i++) {
      const noise = i % 2 === 0 ? 1 : -1;
      const shaken = {
        ...calm,
        health: 61 + 4.9 * noise,
        way: 1.76 + 0.12 * noise,
        own: [90 + noise, 20 - noise, Number.NaN],
      };
      const next = describeReadings(template, agents, shaken, state);
      expect(next.text).toBe(first.text);
      state = next.state;
    }
  });

  test('a real change is told, with its direction and the lines that depend on it', () => {
    const { state } = describeReadings(template, agents, calm, null);
    const after = { ...calm, alive: 1, health: 20, 'odds.of': 1, 'odds.to': 3, way: 4.1 };
    expect(describeReadings(template, agents, after, state).text).toBe(
      '1 soldier, health scarce (falling), odds 1 to 3, 4 m to go.\nRetreat is due.\nred_0 is strong.\nred_1 is weak.',
    );
  });

  test('a trend settles, and from then on the text stays', () => {
    let { state } = describeReadings(template, agents, calm, null);
    const texts = Array.from({ length: 6 }, () => {
      const next = describeReadings(template, agents, { ...calm, health: 95 }, state);
      ({ state } = next);
      return /\((\w+)\)/.exec(next.text)?.[1];
    });
    expect(texts).toEqual(['rising', 'rising', 'steady', 'steady', 'steady', 'steady']);
  });

  test('a value that is missing is told as such and begins anew when it comes back', () => {
    const first = describeReadings(
      template,
      agents,
      { ...calm, way: Number.NaN, 'odds.to': 0, 'odds.of': 0 },
      null,
    );
    expect(first.text).toContain('odds unknown, no way to go');
    const back = describeReadings(template, agents, { ...calm, way: 0.24, 'odds.to': 0 }, first.state);
    expect(back.text).toContain('odds all to none, 0 m to go');
  });

  test('an agent that is gone has no line', () => {
    const gone = describeReadings(template, agents, { ...calm, own: [90, Number.NaN, Number.NaN] }, null);
    expect(gone.text.split('\n').at(-1)).toBe('red_0 is strong.');
  });

  test('is a pure function: the state survives JSON and gives the same text', () => {
    const { state } = describeReadings(template, agents, calm, null);
    const copy = JSON.parse(JSON.stringify(state)) as typeof state;
    const next = { ...calm, health: 58, 'odds.to': 0 };
    expect(describeReadings(template, agents, next, copy)).toEqual(
      describeReadings(template, agents, next, state),
    );
    expect(describeReadings(template, agents, next, state).text).toContain('ample');
    expect(describeReadings(template, agents, next, null).text).toContain('tight');
  });

  test('a state of another template and a reading that is missing are refused', () => {
    const other = { template: 'other', slots: {} };
    expect(() => describeReadings(template, agents, calm, other)).toThrow(RangeError);
    expect(() => describeReadings(template, agents, { ...calm, own: [1] }, null)).toThrow('"own"');
  });
});
