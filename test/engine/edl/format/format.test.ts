import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { format } from '../../../../src/engine/edl/format/format.ts';
import { scenarioManifest } from '../../../../src/engine/sim/index.ts';
import { cachedHost } from '../../../support/edl-fuzz/fuzz-case.ts';
import { ProgramWriter } from '../../../support/edl-generator/program-writer.ts';

const folder = new URL('../../../../resources/environments/', import.meta.url);

function formatted(text: string): string {
  const result = format(text);
  if (!('text' in result)) throw new Error(JSON.stringify(result.diagnostics));
  return result.text;
}

const messy = `// top

/* x */ environment a extends spread{mission "x" // trailing
set agent.accel=-3 m/s^2 // push
// own


// own after a gap
set local_ratio = 30 %
rule r "d"{ // in
for a in agent /* mid */ when not(a.x>-1 m)and - a.y < 2 m // why
 or a.x * -1 < (3 m) then a.accel*=1.3
// before the brace
}
issue i{when coverage<50% // cc
 /* for */ for 2 evaluations}
 reward limit { give -distance( agent_0 , nearest( landmark to agent_1 ) )/1 m to agent decay half every 200k steps limit 10 % of nominal }
 }
// end
`;

const neat = `// top

/* x */
environment a extends spread {
  mission "x" // trailing
  set agent.accel = -3 m/s^2 // push
  // own

  // own after a gap
  set local_ratio = 30%

  rule r "d" { // in
    for a in agent /* mid */
    when not (a.x > -1 m) and -a.y < 2 m // why
      or a.x * -1 < (3 m)
    then a.accel *= 1.3
    // before the brace
  }

  issue i {
    when coverage < 50% // cc
    /* for */
    for 2 evaluations
  }

  reward limit {
    give -distance(agent_0, nearest(landmark to agent_1)) / 1 m to agent
    decay half every 200k steps
    limit 10% of nominal
  }
}
// end
`;

test('attributes that are named like clauses are operands: a minus after them subtracts', () => {
  const text =
    'environment a extends foraging {\n  metric m {\n    for a in agent\n    a.penalty - a.temper\n  }\n}\n';
  expect(formatted(text)).toBe(text);
});

describe('format', () => {
  test('lays declarations, clauses and comments out', () => {
    expect(formatted(messy)).toBe(neat);
  });

  test('leaves formatted text alone', () => {
    expect(formatted(neat)).toBe(neat);
  });

  test.each(readdirSync(folder))('the sample %s is formatted', (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    expect(formatted(text)).toBe(text);
  });

  test('keeps the line ends of the text', () => {
    expect(formatted(messy.replaceAll('\n', '\r\n'))).toBe(neat.replaceAll('\n', '\r\n'));
  });

  test('keeps the meaning and is stable on 100 generated programs, whatever their layout', () => {
    const host = cachedHost();
    const manifest = scenarioManifest('capture', {});
    let compared = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const text = new ProgramWriter(seed, manifest).environment();
      const gap = seed % 2 === 0 ? ' ' : '\n\n /* c */ ';
      const squeezed = text.replaceAll(/"[^"]*"|\s+/g, (part) => (part.startsWith('"') ? part : gap));
      const result = formatted(squeezed);
      expect(formatted(result)).toBe(result);
      const before = compile(squeezed, host).environment?.identity;
      expect(compile(result, host).environment?.identity).toBe(before);
      if (before !== undefined) compared++;
    }
    expect(compared).toBeGreaterThan(80);
  });

  test('gives a text that does not parse back as its diagnostics', () => {
    const result = format('environment x extends');
    expect('diagnostics' in result ? result.diagnostics.map((d) => d.code) : []).toEqual(['EDL103']);
  });
});
