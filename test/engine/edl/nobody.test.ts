import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/engine/edl/index.ts';
import { createVecEnv } from '../../../src/engine/sim/index.ts';
import { specWith } from '../../support/edl-episodes.ts';
import { simHost } from '../../support/sim-host.ts';

/** Codes of what is said about a reward over capture, in which nobody needs to be there: supplies come and go. */
function codes(reward: string): string[] {
  const text = `environment test extends capture { reward r { for a in red ${reward} } }`;
  return compile(text, simHost()).diagnostics.map(({ code }) => code);
}

const chain = 'nearest(point to nearest(supply))';

describe('who is nearest to what may be nobody', () => {
  test('has no bounded distance: a potential over it can have no limit', () => {
    expect(codes(`give distance(a, ${chain}) / 1 m to a limit 10% of nominal potential`)).toEqual(['EDL507']);
    expect(codes('give distance(a, nearest(point)) / 1 m to a limit 10% of nominal potential')).toEqual([]);
  });

  test('is not always near', () => {
    expect(codes(`when distance(a, ${chain}) < 1000 m give 1 to a`)).toEqual([]);
    expect(codes('when distance(a, nearest(point)) < 1000 m give 1 to a')).toEqual(['EDL502']);
  });

  test('is asked after before it is read', () => {
    expect(codes(`when ${chain}.x < 20 m give 1 to a`)).toEqual(['EDL508']);
    expect(codes(`when any(p in point where p.x > 1 m) and ${chain}.x < 20 m give 1 to a`)).toContain(
      'EDL508',
    );
    expect(codes(`when any(k in supply where k.x > 1 m) and ${chain}.x < 20 m give 1 to a`)).toEqual([]);
    expect(codes(`when distance(a, ${chain}) < 9 m and ${chain}.x < 20 m give 1 to a`)).toEqual([]);
  });
});

describe('the nearest member of a set that one belongs to', () => {
  test.each([
    ['any(b in red)', ['EDL508']],
    ['count(b in red) > 0', ['EDL508']],
    ['any(b in red where b.health > 50%)', ['EDL508']],
    ['count(b in red) > 1', []],
    ['2 <= count(b in red)', []],
    ['distance(a, nearest(red)) < 9 m', []],
  ])('may be nobody where the set has a member, which one may be oneself: %s', (when, expected) => {
    expect(codes(`when ${when} and nearest(red).x < 20 m give 1 to a`)).toEqual(expected);
  });

  const spread = (count: number, gives: string): string[] => {
    const text = `environment test extends simple_spread {
      set agent.count = ${count}
      reward r { for a in agent ${gives} to a limit 10% of nominal potential } }`;
    return compile(text, simHost()).diagnostics.map(({ code }) => code);
  };

  test('needs another member, which an anchor that is none takes nothing from', () => {
    expect(spread(2, 'give distance(a, nearest(agent)) / 1 m')).toEqual([]);
    expect(spread(1, 'give distance(a, nearest(landmark)) / 1 m')).toEqual([]);
    // Whoever is nearest to the landmark may be the only one who is not nearest to itself.
    expect(spread(2, 'give distance(a, nearest(agent to nearest(landmark))) / 1 m')).toEqual([]);
  });
});

describe('the distance of a place to itself', () => {
  /** Infinite distances of a metric are no samples: NaN says that there was none. */
  const measured = (expression: string): number => {
    const spec = specWith(`metric m { for a in red ${expression} unit m over episode last }`, 'capture');
    const env = createVecEnv(spec, { numEnvs: 1, seed: 1n, firstEpisode: 0 });
    const [value = -1] = env.probe();
    env.dispose();
    return value;
  };

  test('is 0 for somebody', () => {
    expect(measured('distance(a, a)')).toBe(0);
    expect(measured('distance(nearest(point), nearest(point))')).toBe(0);
  });

  test('is infinite for nobody', () => {
    expect(measured('distance(nearest(supply), nearest(supply))')).toBeNaN();
    expect(measured('min(distance(nearest(supply), nearest(supply)), 7 m)')).toBe(7);
  });
});

describe('bounds that nothing holds', () => {
  const verdicts = (condition: string): string[] => {
    const text = `environment test extends simple_spread { reward r { for a in agent when ${condition} give 1 to a } }`;
    return compile(text, simHost()).diagnostics.map(({ code }) => code);
  };

  test('decide no condition', () => {
    expect(verdicts('a.x < 200 m')).toEqual([]);
    expect(verdicts('a.vx > 50 m/s')).toEqual([]);
    expect(verdicts('distance(a, nearest(landmark)) < 1000 m')).toEqual([]);
    expect(verdicts('distance(landmark_0, landmark_1) < 1000 m')).toEqual(['EDL502']);
    expect(verdicts('a.accel < 0 m/s^2')).toEqual(['EDL502']);
  });
});
