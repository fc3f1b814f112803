import { describe, expect, test } from 'vitest';
import {
  compile,
  type EdlHost,
  flatten,
  format,
  listDeclarations,
} from '../../../../src/engine/edl/index.ts';
import { hostWithFiles } from '../../../support/edl-files.ts';
import { Draw } from '../../../support/edl-generator/draw.ts';
import { ProgramWriter } from '../../../support/edl-generator/program-writer.ts';
import { simHost } from '../../../support/sim-host.ts';

const files = {
  '/base.edl': `// about the base
environment base extends spread { // opened
  mission "from the base" // said here
  set agent.accel = 4

  // why it is quick
  rule quick { for a in agent when time < 10 steps then a.accel *= 1.5 }
  reward near "close by" { for a in agent give 0.1 to a } /* after
  near */
  stage one { set agent.accel = 2 until coverage > 50% }
  stage two { set agent.accel = 3 }
  // the end of the base
}
`,
};
const child = `/* { a child */
environment child extends "base.edl" /* { */ {
  // not wanted any more
  without rule quick
  set agent.accel = 6 // more push

  /* first */ stage one { set agent.accel = 7 until coverage > 60% }
  constraint apart { for a in agent never distance(a, nearest(ally(a))) < 0.2 m }
  // the end
}
// behind it
`;
const host = hostWithFiles(files);

function flat(text: string): string {
  const result = flatten(text, host, '/child.edl');
  if (!('text' in result)) throw new Error(JSON.stringify(result.diagnostics));
  return result.text;
}

describe('flatten', () => {
  test('means the same without the other files', () => {
    const before = compile(child, host, '/child.edl').environment;
    const after = compile(flat(child), hostWithFiles({})).environment;
    expect(after?.identity).toBe(before?.identity);
    expect(after?.spec).toEqual(before?.spec);
    expect(after?.stages.map((stage) => stage.identity)).toEqual(
      before?.stages.map((stage) => stage.identity),
    );
    expect(after?.name).toBe('child');
  });

  test('keeps every comment of the text, and those of what it takes over', () => {
    const text = flat(child);
    for (const comment of [
      '/* { a child */',
      '/* { */',
      '// not wanted any more',
      '// more push',
      '/* first */',
      '// the end',
      '// behind it',
      '// said here',
      '// opened',
      '/* after',
    ])
      expect(text).toContain(comment);
    expect(text).not.toContain('why it is quick');
    expect(text).not.toContain('without');
  });

  test('a comment before what is dropped goes to the declaration after it', () => {
    expect(flat(child)).toContain('  // not wanted any more\n  set agent.accel = 6 // more push\n');
    const oneLine =
      'environment child extends "base.edl" {\n // not this\n without rule quick set agent.accel = 6\n}\n';
    expect(flat(oneLine)).toContain('  // not this\n  set agent.accel = 6\n');
  });

  test('puts a stage that overrides one in its place', () => {
    const text = flat(child);
    expect(text.indexOf('stage one')).toBeLessThan(text.indexOf('stage two'));
    expect(text.match(/stage one/g)).toHaveLength(1);
  });

  test('answers in the canonical layout, and of a flat text with itself', () => {
    const text = flat(child);
    expect(format(text)).toEqual({ text });
    expect(flat(text)).toBe(text);
    expect(flat('environment x extends spread   { }')).toBe('environment x extends spread   { }');
  });

  test('keeps Windows line ends', () => {
    const text = flat(child.replaceAll('\n', '\r\n'));
    expect(text.replaceAll('\r\n', '\n')).toBe(flat(child));
    expect(text.match(/[^\r]\n/)).toBeNull();
  });

  test('gives back what stands in the way', () => {
    const result = flatten('environment x extends "gone.edl" { }', host, '/child.edl');
    expect('diagnostics' in result ? result.diagnostics.map((d) => d.code) : []).toEqual(['EDL221']);
  });

  test('a text cut in two files, and flattened again, keeps its identity (seeds 1 to 25)', () => {
    const manifest = simHost().manifest('capture', {});
    if (manifest === null) throw new Error('no capture');
    let compared = 0;
    for (let seed = 1; seed <= 25; seed++) {
      const whole = new ProgramWriter(seed, manifest, { maxDeclarations: 9 }).environment();
      const expected = compile(whole, simHost()).environment?.identity;
      if (expected === undefined) continue;
      const draw = new Draw(seed);
      const [base, own]: [string[], string[]] = [[], []];
      for (const { text, target } of listDeclarations(whole)) {
        // The order of stages means something: they stay together.
        const isInBase = !target.startsWith('stage ') && draw.below(2) === 0;
        (isInBase ? base : own).push(`// ${target}\n${text}`);
        // What the base says of it otherwise is overridden, or dropped.
        if (!isInBase && target.startsWith('rule '))
          base.push(`rule ${target.slice(5)} { then agent.speed = 1 m/s }`);
      }
      base.push('rule unwanted { then agent.speed *= 0.5 }');
      const lower = `environment lower extends capture {\n${base.join('\n')}\n}\n`;
      const upper = `environment upper extends "lower.edl" {\nwithout rule unwanted\n${own.join('\n')}\n}\n`;
      const cut: EdlHost = {
        ...simHost(),
        text: (path) => (path === 'lower.edl' ? { path, text: lower } : null),
      };
      const together = compile(upper, cut, 'upper.edl');
      expect(
        together.environment?.identity,
        `${seed} ${JSON.stringify(together.diagnostics)}\n${lower}${upper}`,
      ).toBe(expected);
      const result = flatten(upper, cut, 'upper.edl');
      const text = 'text' in result ? result.text : JSON.stringify(result);
      expect(compile(text, simHost()).environment?.identity, text).toBe(expected);
      for (const { target } of listDeclarations(whole)) expect(text.split(`// ${target}\n`)).toHaveLength(2);
      compared++;
    }
    expect(compared).toBeGreaterThan(12);
  });
});
