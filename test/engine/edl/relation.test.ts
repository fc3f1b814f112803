import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/engine/edl/index.ts';
import { scenarioManifest, scenarioNames } from '../../../src/engine/sim/index.ts';

/** What is warned of where agents of red ask something in a match. */
function warned(condition: string, settings = ''): string[] {
  const text = `environment e extends capture { ${settings} reward r { for a in red when ${condition} give 1 to a } }\n`;
  const { environment, diagnostics } = compile(text, { manifest: scenarioManifest, scenarioNames });
  expect(environment).not.toBeNull();
  return diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

describe('a relation that never holds', () => {
  test.each([
    ['a.heals(blue)', 'heals never holds here, only towards ally(…)'],
    ['a.heals(nearest(blue))', 'heals never holds here'],
    ['a.hits(ally(a))', 'hits never holds here, only towards opponent(…)'],
    ['a.owns(zone)', 'owns never holds here, only towards point'],
    ['a.may_take(red_base)', 'may_take never holds here, only towards point or lock'],
    ['any(b in blue where a.heals(b))', 'heals never holds here'],
  ])('is warned of: %s', (condition, message) => {
    expect(warned(condition)).toEqual([expect.stringContaining(`EDL518: ${message}`)]);
  });

  test.each([
    'a.heals(ally(a))',
    'a.heals(red)',
    'a.hits(blue)',
    'a.hits(agent)',
    'a.owns(nearest(point))',
    'a.owns(landmark)',
    'a.sees(blue)',
    'a.sees(zone)',
  ])('is not: %s', (condition) => {
    expect(warned(condition)).toEqual([]);
  });

  test('goes by the parameters in force', () => {
    expect(warned('a.hits(ally(a))', 'set combat.friendly_fire = true')).toEqual([]);
  });
});
