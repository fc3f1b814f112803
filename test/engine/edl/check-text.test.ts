import { describe, expect, test } from 'vitest';
import { checkParsed, checkText, compileParsed } from '../../../src/engine/edl/index.ts';
import { parseText } from '../../../src/engine/edl/parse.ts';
import { hostWithFiles } from '../../support/edl-files.ts';
import { environmentOf } from '../../support/edl-text.ts';

const host = hostWithFiles({ '/base.edl': environmentOf('rule quick { then agent.accel *= 2 }') });

describe('checkText', () => {
  test('gives what the text extends and what it comes to', () => {
    const { reporter, checked } = checkText('environment x extends "base.edl" { }', host, '/x.edl');
    expect(reporter.sorted()).toEqual([]);
    expect(checked?.resolved.scenario).toBe('spread');
    expect([...(checked?.resolved.origins.values() ?? [])]).toEqual(['base.edl']);
    expect(checked?.elaborated.ir.rules.map((rule) => rule.name)).toEqual(['quick']);
  });

  test('gives what it can make of a text with errors', () => {
    const { reporter, checked } = checkText(
      environmentOf('reward a { give 1 to agent } reward b { give 1 to agnt }'),
      host,
    );
    expect(reporter.hasErrors).toBe(true);
    expect(checked?.elaborated.ir.rewards.map((reward) => reward.name)).toEqual(['a']);
  });

  test('gives nothing of a text that does not parse', () => {
    const { reporter, checked } = checkText('environment x extends', host);
    expect(reporter.sorted().map((diagnostic) => diagnostic.code)).toEqual(['EDL103']);
    expect(checked).toBeNull();
  });

  test('sorts diagnostics by their place in the text, whatever found them', () => {
    const { reporter } = checkText(
      environmentOf('issue i { when coverag < 1 }\nreward r { give 1 to agnt }\nset agent.acel = 4'),
      host,
    );
    expect(reporter.sorted().map(({ code, range }) => [code, range.start.line])).toEqual([
      ['EDL208', 1],
      ['EDL202', 2],
      ['EDL203', 3],
    ]);
  });
});

describe('checkParsed and compileParsed', () => {
  test('answer a text that was read before as if it had been read now, as often as they are asked', () => {
    const parsed = parseText('environment x extends "base.edl" { stage one { set agent.accel = 4 } }');
    const [first, second] = [compileParsed(parsed, host, '/x.edl'), compileParsed(parsed, host, '/x.edl')];
    expect(first.environment?.identity).toMatch(/^[0-9a-f]{64}$/);
    expect(second.environment?.identity).toBe(first.environment?.identity);
    expect(second.environment?.spec).toEqual(first.environment?.spec);
    expect(checkParsed(parsed, host, '/x.edl').reporter.sorted()).toEqual([]);
  });
});
