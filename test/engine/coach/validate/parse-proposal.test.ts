import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textLimits } from '../../../../src/engine/coach/providers/answer-limits.ts';
import { parseProposal } from '../../../../src/engine/coach/validate/parse-proposal.ts';
import { AppError } from '../../../../src/shared/std/app-error.ts';
import { thrownBy } from '../../../support/error-code.ts';
import { proposalBody } from '../../../support/store-records.ts';

const good = JSON.stringify(proposalBody);

/** The good answer with one value at a path replaced. */
function withValue(path: readonly (string | number)[], value: unknown): string {
  const copy = structuredClone(proposalBody) as unknown;
  let at = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
  at[path.at(-1) ?? ''] = value;
  return JSON.stringify(copy);
}

/** Every path to a value inside the good answer. */
function paths(value: unknown, at: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [at];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return [...(at.length === 0 ? [] : [at]), ...entries.flatMap(([key, inner]) => paths(inner, [...at, key]))];
}

describe('parseProposal', () => {
  test('reads a well-formed answer, white space around it or not', () => {
    expect(parseProposal(good)).toEqual(proposalBody);
    expect(parseProposal(`\n  ${good}\n\n`)).toEqual(proposalBody);
  });

  test('an answer cut off anywhere is refused', () => {
    for (let length = 0; length < good.length; length++) {
      expect(thrownBy(() => parseProposal(good.slice(0, length))).code).toBe('coach.badOutput');
    }
  });

  test('says that a cut answer is cut, and where a value is wrong', () => {
    expect(thrownBy(() => parseProposal(good.slice(0, 40))).message).toMatch(/cut short/);
    expect(thrownBy(() => parseProposal(withValue(['changes', 0, 'op'], 'delete'))).message).toMatch(
      /changes\.0\.op/,
    );
  });

  test.each([
    ['nothing', ''],
    ['blanks only', ' \n\t '.repeat(500)],
    ['endless white space inside', `{${' '.repeat(30_000)}`],
    ['prose around the object', `Sure! ${good}`],
    ['a code fence', `\`\`\`json\n${good}\n\`\`\``],
    ['two objects', `${good}${good}`],
    ['an array', `[${good}]`],
    ['null', 'null'],
    ['a number', '1e999'],
    ['no change', withValue(['changes'], [])],
    ['three changes', withValue(['changes'], Array(3).fill(proposalBody.changes[0]))],
    ['an unknown key', withValue(['surprise'], 1)],
    ['a key that is no data', good.replace('"analysis"', '"__proto__"')],
    ['an unknown op', withValue(['changes', 0, 'op'], 'replace')],
    ['an empty target', withValue(['changes', 0, 'target'], '')],
    ['a NUL in the text', withValue(['changes', 0, 'edl'], 'reward x\u0000 {}')],
    ['an escape sequence', withValue(['analysis'], '\u001b[2J')],
    ['a line separator', withValue(['changes', 0, 'edl'], 'a\u2028b')],
    ['an analysis without end', withValue(['analysis'], 'x'.repeat(textLimits.analysis + 1))],
    ['an EDL text without end', withValue(['changes', 0, 'edl'], 'x'.repeat(4 * textLimits.edl + 1))],
    ['twenty wishes', withValue(['wishes'], Array(20).fill('w'))],
    ['deep nesting', '['.repeat(5000) + ']'.repeat(5000)],
  ])('refuses %s', (_, raw) => {
    const error = thrownBy(() => parseProposal(raw));
    expect(error.code).toBe('coach.badOutput');
    expect(error.message.length).toBeLessThan(1000);
  });

  test('a wrong type at any place is refused', () => {
    for (const path of paths(proposalBody)) {
      for (const value of [null, 7, 1e308, true, {}, [[]]]) {
        expect(thrownBy(() => parseProposal(withValue(path, value))).code).toBe('coach.badOutput');
      }
    }
  });

  test('a missing value at any place but in a list is refused', () => {
    for (const path of paths(proposalBody).filter((at) => typeof at.at(-1) === 'string')) {
      expect(thrownBy(() => parseProposal(withValue(path, undefined))).code).toBe('coach.badOutput');
    }
  });

  test('any damage to a good answer is refused or leaves a whole proposal (seed 1)', () => {
    const damage = fc.tuple(fc.nat(good.length), fc.nat(12), fc.string({ maxLength: 12, unit: 'binary' }));
    fc.assert(
      fc.property(damage, ([at, cut, inserted]) => {
        try {
          const body = parseProposal(good.slice(0, at) + inserted + good.slice(at + cut));
          expect(body.changes.length).toBeGreaterThan(0);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(AppError);
          expect((thrown as AppError).code).toBe('coach.badOutput');
        }
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test('any JSON value is refused or a whole proposal (seed 2)', () => {
    fc.assert(
      fc.property(fc.json(), (raw) => thrownBy(() => parseProposal(raw)).code === 'coach.badOutput'),
      { seed: 2, numRuns: 300 },
    );
  });
});
