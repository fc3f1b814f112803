import { describe, expect, test } from 'vitest';
import { parseTemplate } from '../../../src/engine/describe/parse-template.ts';

const head = 'scenario: simple_spread\nslots:\n';

/** "line:column message" of every problem. */
function problemsOf(text: string): string[] {
  return parseTemplate(text).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe('parseTemplate', () => {
  test('reads slots of every kind and the lines that use them', () => {
    const { template, problems } = parseTemplate(`${head}  covered: {count: count(landmark), noun: landmark}
  room: {level: 1, levels: [scarce, 0.3, ample], trend: {step: 0.1}}
  odds: {ratio: {of: 1, to: 2}}
  gap: {for: a in agent, number: "distance(a, nearest(landmark))", unit: m, step: 0.1}
text:
  - "{{covered}}, {{ room }} {{room.trend}} ({{odds}})"
  - {text: "{{agent}}: {{gap}}", when: {room: scarce}}
`);
    expect(problems).toEqual([]);
    expect(template?.slots.map(({ name, loop }) => [name, loop])).toEqual([
      ['covered', null],
      ['room', null],
      ['odds', null],
      ['gap', 'a in agent'],
    ]);
    expect(template?.lines.map(({ isPerAgent }) => isPerAgent)).toEqual([false, true]);
    expect(template?.slots[2]?.readings.map(({ key }) => key)).toEqual(['odds.of', 'odds.to']);
  });

  test('a margin that is not given follows from thresholds or step', () => {
    const { template } = parseTemplate(`${head}  room: {level: 1, levels: [a, 1, b, 3, c]}
  one: {level: 1, levels: [a, 0.5, b]}
  size: {number: 1, step: 0.4}
text: ["{{room}}"]
`);
    expect(template?.slots.map(({ scale }) => scale.margin)).toEqual([0.2, 0.05, 0.1]);
  });

  test('an unknown slot names line, column and the nearest one', () => {
    expect(
      problemsOf(`${head}  spacing: {level: 1, levels: [a, 1, b]}\ntext:\n  - ok\n  - "{{spacng}}"\n`),
    ).toEqual(['6:5 there is no slot "spacng"; did you mean "spacing"?']);
  });

  test('an unknown key names the nearest one', () => {
    expect(problemsOf(`${head}  spacing: {levle: 1, levels: [a, 1, b]}\ntext: [x]\n`)).toEqual([
      '3:13 unknown key "levle" in "slots.spacing"; did you mean "level"?',
    ]);
  });

  test('an unknown level of a condition names the nearest one', () => {
    const text = `${head}  room: {level: 1, levels: [scarce, 1, ample]}\ntext:\n  - text: x\n    when: {room: scarse}\n`;
    expect(problemsOf(text)).toEqual(['6:12 slot "room" has no level "scarse"; did you mean "scarce"?']);
  });

  test.each([
    ['no kind', 'x: {unit: m}', 'one of count, number, level, ratio, with an EDL expression; it has none'],
    ['two kinds', 'x: {count: 1, level: 1}', 'it has count and level'],
    ['a strange key', 'x: {count: 1, step: 2}', '"step" belongs to a number or ratio, not to a count'],
    ['a number without a step', 'x: {number: 1}', 'a number needs "step"'],
    ['a level without levels', 'x: {level: 1}', 'a level needs "levels"'],
    ['levels that do not alternate', 'x: {level: 1, levels: [a, b, 1]}', 'names and thresholds alternate'],
    [
      'thresholds that fall',
      'x: {level: 1, levels: [a, 2, b, 1, c]}',
      'thresholds rise from one to the next',
    ],
    ['two levels of one name', 'x: {level: 1, levels: [a, 1, a]}', 'every level has a name of its own'],
    [
      'a margin that swallows a level',
      'x: {level: 1, levels: [a, 1, b, 2, c], margin: 1.5}',
      'it would be passed over',
    ],
    ['no margin at all', 'x: {level: 1, levels: [a, 0, b]}', 'a level needs a margin above 0'],
    ['the reserved name', 'agent: {count: 1}', '{{agent}} is the name of the agent'],
    ['a loop that is none', 'x: {for: good, count: 1}', 'write it as in EDL: "a in SET"'],
  ])('%s is told', (_, slot, message) => {
    expect(problemsOf(`${head}  ${slot}\ntext: [x]\n`).join('\n')).toContain(message);
  });

  test.each([
    ['a tag that is open', '{{room', 'a tag is not closed'],
    ['a tag that is none', '{{room + 1}}', 'is no tag'],
    ['a part that no slot has', '{{room.trnd}}', 'a slot has no "trnd"; did you mean "trend"?'],
    ['a trend that was not asked for', '{{room.trend}}', 'slot "room" has no trend'],
    [
      'an agent where there is none',
      '{{agent}} {{room}}',
      '{{agent}} stands in lines that have a slot per agent',
    ],
  ])('%s is told', (_, line, message) => {
    const text = `${head}  room: {level: 1, levels: [a, 1, b]}\ntext: ["${line}"]\n`;
    expect(problemsOf(text).join('\n')).toContain(message);
  });

  test('slots of two sets do not share a line', () => {
    const text = `${head}  x: {for: a in good, count: 1}\n  y: {for: b in adversary, count: 1}\ntext: ["{{x}} {{y}}"]\n`;
    expect(problemsOf(text).join('\n')).toContain('per agent of one set, not of good and adversary');
  });

  test('what is no YAML, and what is empty, is told with a place', () => {
    expect(problemsOf('slots: [').join('\n')).toContain('not readable as YAML');
    expect(problemsOf('')).toEqual(['1:1 the file is empty']);
    expect(problemsOf('scenario: x\n').join('\n')).toContain('"slots" is missing');
  });

  test('tells every fault at once, in plain words and in the order of the file', () => {
    const problems = problemsOf(`${head}  room: {number: 1, step: -1}
  odds: {level: 1}
  gap: {count: x, noun: 3, strange: 1}
  way: {number: 1, step: far}
text: []
`);
    expect(problems).toEqual([
      '3:21 "slots.room.step": must be above 0',
      expect.stringMatching(/^4:.*a level needs "levels"/),
      expect.stringMatching(/^5:.*a noun, or a pair/),
      expect.stringMatching(/^5:.*unknown key "strange"/),
      expect.stringMatching(/^6:.*must be a number/),
      expect.stringMatching(/^7:.*must have at least 1 entry/),
    ]);
  });
});
