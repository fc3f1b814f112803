import { describe, expect, test } from 'vitest';
import { checkDocument, compile, IncrementalParser } from '../../../../src/engine/edl/index.ts';
import { testHost } from '../../../support/edl-manifests.ts';
import { environmentOf } from '../../../support/edl-text.ts';
import { simHost } from '../../../support/sim-host.ts';

const host = testHost();
const rule = (i: number) => `rule r${i} { for a in agent when time < ${i + 1} s then a.accel *= 1.5 }`;
const stage = (i: number) => `stage s${i} { set agent.accel = ${i + 1} until coverage > 50% }`;
const many = Array.from({ length: 20 }, (_, i) => rule(i));
const text = environmentOf([...many, ...Array.from({ length: 6 }, (_, i) => stage(i))].join('\n'));

/** Calls of the checkpoint while a text is checked; from the `stopAt`th on it throws. */
function checkCounting(parser: IncrementalParser, checked: string, stopAt = Infinity): number {
  let calls = 0;
  const checkpoint = () => {
    if (++calls >= stopAt) throw new Error('cancelled');
  };
  checkDocument(parser, checked, { host, path: '/a.edl', checkpoint });
  return calls;
}

describe('checkDocument', () => {
  test('can be given up wherever a declaration is read, checked or lowered, stages included', () => {
    const calls = checkCounting(new IncrementalParser(), text);
    // Parsed, checked in the environment and in each of six stages, lowered once for all.
    expect(calls).toBeGreaterThan(26 + 20 * 7 + 20);
    for (let stopAt = 1; stopAt <= calls; stopAt += 7) {
      expect(() => checkCounting(new IncrementalParser(), text, stopAt)).toThrow('cancelled');
    }
  });

  test('after it was given up the same text is checked as any other', () => {
    const parser = new IncrementalParser();
    expect(() => checkCounting(parser, text, 60)).toThrow('cancelled');
    const { diagnostics, costPerStep } = checkDocument(parser, text, {
      host,
      path: '/a.edl',
      checkpoint: () => undefined,
    });
    const compiled = compile(text, host);
    expect(diagnostics).toEqual(compiled.diagnostics);
    expect(costPerStep).toBe(compiled.environment?.costPerStep);
  });

  test('a signal that stands after a comment without blanks is one that is read', () => {
    const parser = new IncrementalParser();
    const codes = [60, 20, 60].map((length) => {
      const edited = environmentOf(
        `set episode.length = ${length} steps rule r { when/**/time < 30 steps then agent.accel *= 2 }`,
        'simple_spread',
      );
      const options = { host: simHost(), path: '/a.edl', checkpoint: () => undefined };
      return checkDocument(parser, edited, options).diagnostics.map(({ code }) => code);
    });
    expect(codes).toEqual([[], ['EDL502'], []]);
  });

  test.each([
    ['a parameter that is read', 'set agent.accel = 3', 'set agent.accel = 4'],
    ['the number of members', 'set agent.count = 3', 'set agent.count = 4'],
    [
      'a name that is declared',
      'event later { at step 2 spawn landmark }',
      'event a { at step 2 spawn landmark }',
    ],
    ['the unit of a metric', 'metric late { time unit s }', 'metric late { time / 1 s }'],
    ['a metric that is gone', 'metric late { time unit s }', ''],
  ])('what was checked before is checked again after a change of %s', (_name, before, after) => {
    const rest = `
      rule r { for a in agent when agent.accel > 3 m/s^2 then a.accel *= 1.5 }
      reward g { for a in agent give 0.1 to a limit 10% of nominal }
      rule n { then agent_3.accel *= 2 }
      rule t { for a in agent when time > 100 steps then a.accel *= 2 }
      event e { at step 100 spawn landmark }
      issue i { when late > 2 s }`;
    const parser = new IncrementalParser();
    for (const first of [before, after, before]) {
      const edited = environmentOf(`${first}\n${rest}`);
      const { diagnostics } = checkDocument(parser, edited, {
        host,
        path: '/a.edl',
        checkpoint: () => undefined,
      });
      expect(diagnostics).toEqual(compile(edited, host).diagnostics);
    }
    const texts = [before, after].map(
      (first) => compile(environmentOf(`${first}\n${rest}`), host).diagnostics,
    );
    expect(texts[0]).not.toEqual(texts[1]);
  });
});
