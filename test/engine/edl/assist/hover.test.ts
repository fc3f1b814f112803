import { describe, expect, test } from 'vitest';
import { hover } from '../../../../src/engine/edl/assist/index.ts';
import { atCursor } from '../../../support/edl-cursor.ts';
import { hostWithFiles } from '../../../support/edl-files.ts';
import { testHost } from '../../../support/edl-manifests.ts';

const text = `environment e extends spread {
  set agent.accel = 3 m/s^2
  reward close "Near" {
    for a in agent
    when distance(a, nearest(landmark)) < 0.3 m and a.speed > 0.1 m/s
    give 0.1 to a
  }
  metric pace "How fast" { for a in agent a.speed unit m/s better higher }
  issue bad { when coverage < 50% and pace < 1 m/s for 3 evaluations }
}`;

/** What is told of the first place where a word stands. */
function told(word: string, values: Record<string, number> = {}): string | undefined {
  const { scene, position } = atCursor(text.replace(word, `|${word}`), testHost());
  return hover(scene, position, values)?.markdown.replaceAll('\n\n', ' / ');
}

describe('hover', () => {
  test('tells range, default and meaning of a parameter, and its value in this text', () => {
    expect(told('agent.accel')).toBe(
      '**agent.accel** · parameter / 0 m/s^2 to 20 m/s^2, default 5 m/s^2 / push / Here: **3 m/s^2**',
    );
  });

  test('tells unit, range and rights of an attribute', () => {
    expect(told('speed >')).toBe(
      '**speed** · attribute of an agent / 0 m/s to 100 m/s, read-only / magnitude of the velocity',
    );
  });

  test('tells the definition of a metric, and its value in the selected run', () => {
    expect(told('coverage', { coverage: 0.25 })).toBe(
      '**coverage** · metric / 0% to 100%, higher is better / covered landmarks / In the selected run: **25%**',
    );
    expect(told('coverage')).not.toContain('run');
    expect(told('pace <', { pace: 0.5 })).toBe(
      '**pace** · metric / m/s, higher is better / How fast / In the selected run: **0.5 m/s**',
    );
  });

  test.each([
    ['spread', /scenario \/ spread: 3 agents, 25 steps of 0\.1 s/],
    ['close', /\*\*close\*\* · reward \/ Near/],
    ['a in', /variable \/ a member of agent/],
    ['landmark)', /set of landmarks \/ 3: landmark_0, landmark_1, landmark_2/],
    ['nearest', /function \/ `nearest\(set\)`/],
    ['m and', /unit \/ metres/],
    ['give', /keyword \/ Adds/],
  ])('tells what %s is', (word, expected) => {
    expect(told(word)).toMatch(expected);
  });

  test.each(['0.3 m', '< 0.3', '"Near"'])('has nothing to say of %s', (word) => {
    expect(told(word)).toBeUndefined();
  });

  test.each([
    [
      'regime calm default { set agent.accel = 2 m/s^2 } regime fast { set agent.a|ccel = 9 m/s^2 ramp 5 steps }',
      'In regime fast: **9 m/s^2**; otherwise 5 m/s^2 (the default)',
    ],
    [
      'set agent.accel = 7 m/s^2 stage one { set agent.a|ccel = 1 m/s^2 until success > 50% }',
      'In stage one: **1 m/s^2**; otherwise **7 m/s^2**',
    ],
    ['set agent.a|ccel = 7 m/s^2 regime fast { set agent.accel = 9 m/s^2 }', 'Here: **7 m/s^2**'],
  ])('in %s the value is that of the block', (declarations, value) => {
    const { scene, position } = atCursor(`environment e extends spread { ${declarations} }`, testHost());
    expect(hover(scene, position)?.markdown).toContain(value);
  });

  test('a value that a file sets is the value here', () => {
    const host = hostWithFiles({
      '/base.edl': 'environment base extends spread { set agent.accel = 7 m/s^2 }',
    });
    const marked =
      'environment e extends "base.edl" { rule r { when time > 1 s then agent.accel *= a|gent.accel } }';
    const { scene, position } = atCursor(marked, host, '/e.edl');
    expect(hover(scene, position)?.markdown).toContain('Here: **7 m/s^2**');
  });
});
