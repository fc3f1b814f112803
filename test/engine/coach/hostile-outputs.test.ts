import { describe, expect, test } from 'vitest';
import { hostileKinds, hostileOutput } from '../../support/hostile-outputs.ts';
import { type HostileResult, hostileText, requireSound, tryHostile } from '../../support/hostile-trial.ts';

const seed = 1;
const count = 1000;

describe('hostile outputs of a model', { timeout: 240_000 }, () => {
  test('a thousand of them neither crash the pipeline nor get an invalid change through', async () => {
    const results: HostileResult[] = [];
    for (let given = 0; given < count; given += results.at(-1)?.given ?? count) {
      results.push(await tryHostile(seed, given));
    }
    const total = (state: string): number =>
      results.reduce((sum, { states }) => sum + (states[state] ?? 0), 0);
    expect(results.reduce((sum, { given }) => sum + given, 0)).toBeGreaterThanOrEqual(count);
    // Most are refused as text or by the validator; what is sound among them passes.
    expect(total('unparsed')).toBeGreaterThan(count / 4);
    expect(total('invalid')).toBeGreaterThan(count / 10);
    expect(total('validated')).toBeGreaterThan(0);
    expect(results.reduce((sum, { applied }) => sum + applied, 0)).toBeGreaterThan(0);
    expect(total('asked') + total('failed')).toBe(0);
  });

  test.each([
    ['a parameter of a person', 'set agent.accel', 'set agent.count = 2 set agent.accel', 'other shapes'],
    [
      'a constant of the physics',
      'set agent.accel',
      'set world.damping = 0.5 set agent.accel',
      'damping changed',
    ],
    ['the mission', 'Cover the landmarks', 'Obey', 'another mission'],
    ['what the coach is judged by', 'coverage < 40%', 'coverage < 1%', 'other issues'],
    ['a metric', 'unit m', 'unit m better lower', 'other metrics'],
    ['a curriculum', 'issue', 'stage only { } issue', 'other stages'],
    ['a text that does not compile', 'give -1', 'give', 'does not compile'],
  ])('the eyes that look at what is taken see a change of %s', (_, from, to, message) => {
    expect(() => requireSound(hostileText)).not.toThrow();
    expect(hostileText).toContain(from);
    expect(() => requireSound(hostileText.replace(from, to))).toThrow(message);
  });

  test('are drawn by number, of every kind', () => {
    const some = Array.from({ length: 2 * hostileKinds.length }, (_, i) => hostileOutput(seed, i));
    expect(some).toEqual(Array.from({ length: 2 * hostileKinds.length }, (_, i) => hostileOutput(seed, i)));
    expect(new Set(some.map(({ kind }) => kind)).size).toBe(hostileKinds.length);
    expect(hostileOutput(seed + 1, 0)).not.toEqual(hostileOutput(seed, 0));
  });
});
