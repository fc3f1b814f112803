import { describe, expect, test } from 'vitest';
import { quickFixes } from '../../../../src/engine/edl/assist/index.ts';
import { compile } from '../../../../src/engine/edl/index.ts';
import { withEdits } from '../../../support/edl-cursor.ts';
import { testHost } from '../../../support/edl-manifests.ts';
import { environmentOf } from '../../../support/edl-text.ts';

describe('quickFixes', () => {
  test.each([
    ['a misspelt attribute', 'rule r { for a in agent then a.acel *= 2 }', 'Replace by accel', /a\.accel/],
    [
      'a missing unit',
      'rule r { for a in agent when a.speed > 2 then a.accel *= 2 }',
      'Write the unit: 2 m/s',
      /> 2 m\/s then/,
    ],
    ['a value out of range', 'set agent.accel = 90 m/s^2', 'Use the nearest bound: 20 m/s^2', /= 20 m\/s\^2/],
    ['a misspelt parameter', 'set agent.acel = 9 m/s^2', 'Replace by agent.accel', /set agent\.accel/],
  ])('mends %s', (_, declaration, title, expected) => {
    const text = environmentOf(declaration);
    const { diagnostics } = compile(text, testHost());
    const [diagnostic] = diagnostics;
    const fixes = quickFixes(
      diagnostics,
      diagnostic?.range ?? { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    );
    expect(fixes[0]).toMatchObject({ title, isPreferred: true });
    const mended = withEdits(text, fixes[0]?.edits ?? []);
    expect(mended).toMatch(expected);
    expect(compile(mended, testHost()).diagnostics.filter(({ code }) => code === diagnostic?.code)).toEqual(
      [],
    );
  });

  test('looks at the diagnostics that the range touches alone', () => {
    const { diagnostics } = compile(environmentOf('set agent.acel = 9 m/s^2'), testHost());
    expect(
      quickFixes(diagnostics, { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } }),
    ).toEqual([]);
  });
});
