import { describe, expect, test } from 'vitest';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import type { VecEnv } from '../../../../src/shared/rl/vec-env.ts';
import { actionsFor, specWith } from '../../../support/edl-episodes.ts';

const numEnvs = 16;
const numSteps = 30;
const episodes = Array.from({ length: numEnvs }, (_, e) => e);

const events = `
  event gust { every 3 steps with chance 40% for a in agent disturb push a by 0.5 m/s }
  event lull { with chance 20% when time > 4 steps disturb push agent_1 by 0.1 m/s }`;
const regimes = `
  regime calm default
  regime rush { set agent.accel = 8 m/s^2 }
  regime rest { set agent.accel = 1 m/s^2 }
  schedule { every 4 steps with chance 50% enter rush, rest in random order leave after 1..3 steps }`;
/** Does nothing that anybody could see, but draws in every step. Sorts before all others. */
const silent =
  'event a_silent_one { every 1 step with chance 50% for l in landmark disturb push agent_0 by 0 m/s }';

/** Fire counts by declaration, regimes and rewards of every step. */
function traceOf(declarations: string): string[] {
  const spec = specWith(`set episode.length = 20\n${declarations}`);
  const env: VecEnv = createVecEnv(spec, { numEnvs, seed: 11n, firstEpisode: 0 });
  const trace = Array.from({ length: numSteps }, (_, step) => {
    env.step(actionsFor(env, 3, step, episodes));
    const counts = [...env.takeFireCounts()].flatMap((count, i) => {
      const { kind, name } = spec.program?.declarations[i] ?? { kind: '', name: '' };
      return name === 'a_silent_one' ? [] : [`${kind} ${name} ${count}`];
    });
    return `${counts.join(', ')} | ${env.regimes.join(' ')} | ${env.rewards.join(' ')}`;
  });
  env.dispose();
  return trace;
}

describe('random draws of a program', () => {
  test('an event more shifts nobody else’s', () => {
    const without = traceOf(events + regimes);
    expect(traceOf(silent + events + regimes)).toEqual(without);
    // Both sides of every chance were met.
    expect(without.some((line) => /event lull [1-9]/.test(line))).toBe(true);
    expect(new Set(without.map((line) => line.split(' | ')[1])).size).toBeGreaterThan(5);
  });

  test('a schedule more shifts no event’s', () => {
    const fires = (trace: readonly string[]): string[] =>
      trace.map((line) => line.match(/event \w+ \d+/g)?.join() ?? '');
    expect(fires(traceOf(events + regimes))).toEqual(fires(traceOf(events)));
  });

  test('a declaration by another name draws others', () => {
    expect(traceOf(events.replace('gust', 'breeze').replaceAll('lull', 'calm_down'))).not.toEqual(
      traceOf(events),
    );
  });
});
