import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import type { VecEnv } from '../../../../src/shared/rl/vec-env.ts';
import { simHost } from '../../../support/sim-host.ts';

const host = simHost();
const numEnvs = 6;

function build(body: string, options: { readonly seed?: bigint; readonly numEnvs?: number } = {}): VecEnv {
  const { environment, diagnostics } = compile(`environment e extends simple_spread {\n${body}\n}`, host);
  if (environment === null) throw new Error(JSON.stringify(diagnostics));
  const seed = options.seed ?? 3n;
  const env = createVecEnv(environment.spec, {
    numEnvs: options.numEnvs ?? numEnvs,
    seed,
    firstEpisode: 0,
  });
  env.reset(seed, 0);
  return env;
}

/** Steps with no action at all and collects what `read` says after each. */
function follow<T>(env: VecEnv, steps: number, read: (env: VecEnv) => T): T[] {
  const seen: T[] = [];
  for (let t = 0; t < steps; t++) {
    env.step(new Int32Array(env.numEnvs * env.numAgents));
    expect(env.takeTraps()).toEqual([]);
    seen.push(read(env));
  }
  return seen;
}

const regimeNames = (env: VecEnv, copy = 0): string =>
  env.spec.program?.regimes[env.regimes[copy] ?? -1] ?? '';
/** What the reward `z` gave the first agent of the first copy. */
const given = (env: VecEnv): number => env.components[env.numComponents - 1] ?? Number.NaN;
const accelReward = 'reward z { give agent_0.accel / 1 m/s^2 to agent_0 }';
const fireOf = (env: VecEnv, name: string): number => {
  const at = env.spec.program?.declarations.findIndex((declaration) => declaration.name === name) ?? -1;
  return env.takeFireCounts()[at] ?? Number.NaN;
};

describe('lowerRegimes', () => {
  test('enters at the step, stays as long as it says, and comes back to the default', () => {
    const env = build(
      'regime a default regime b { set agent.accel = 1 } schedule { at step 4 enter b leave after 3 steps }',
    );
    const seen = follow(env, 10, regimeNames);
    expect(seen).toEqual(['a', 'a', 'a', 'a', 'b', 'b', 'b', 'a', 'a', 'a']);
    env.dispose();
  });

  test('a ramp reaches the value exactly, and nothing of it is left afterwards', () => {
    const env = build(
      `regime a default regime b { set agent.accel = 9 ramp 4 steps }
       schedule { at step 2 enter b leave after 6 steps } ${accelReward}`,
    );
    expect(follow(env, 10, given)).toEqual([5, 5, 5, 6, 7, 8, 9, 9, 5, 5]);
    env.dispose();
  });

  test('entering and leaving restores what a lasting effect left, bit for bit', () => {
    const env = build(
      `rule grow { for a in agent when time == 1 steps then a.accel *= 1.1 lasting }
       regime a default regime b { set agent.accel = 2 } ${accelReward}
       schedule { at step 4 enter b leave after 2 steps }`,
    );
    const grown = Math.fround(5 * 1.1);
    expect(follow(env, 8, given)).toEqual([5, 5, grown, grown, 2, 2, grown, grown]);
    env.dispose();
  });

  test('the default may set something too, from the first step on', () => {
    const env = build(`regime a default { set agent.accel = 3 ramp 3 steps } ${accelReward}`);
    const [first, second, third, fourth] = follow(env, 4, given);
    expect([first, fourth]).toEqual([5, 3]);
    expect(second).toBeCloseTo(5 - 2 / 3, 6);
    expect(third).toBeCloseTo(5 - 4 / 3, 6);
    env.dispose();
  });

  test('in turn enters one after the other', () => {
    const env = build(
      'regime a default regime b regime c schedule { every 3 steps enter b, c, a in turn leave after 2 steps }',
    );
    const seen = follow(env, 14, regimeNames).join('');
    expect(seen).toBe('aaabbaccaaaabb');
    env.dispose();
  });

  test('in random order enters each once in every round, and not always alike', () => {
    const env = build(
      'regime a default regime b regime c regime d schedule { every 1 steps enter b, c, d in random order }',
      { numEnvs: 40 },
    );
    const rounds = new Set<string>();
    const steps = follow(env, 13, () => Array.from({ length: 40 }, (_, e) => regimeNames(env, e)));
    for (let copy = 0; copy < 40; copy++) {
      const entered = steps.slice(1).map((row) => row[copy] ?? '');
      for (let at = 0; at < entered.length; at += 3) {
        const round = entered.slice(at, at + 3);
        expect(round.toSorted()).toEqual(['b', 'c', 'd']);
        rounds.add(round.join(''));
      }
    }
    expect(rounds.size).toBe(6);
    env.dispose();
  });

  test('a stay of a..b steps takes every length between, and no other', () => {
    const env = build('regime a default regime b schedule { at step 1 enter b leave after 2..5 steps }', {
      numEnvs: 200,
    });
    const steps = follow(env, 9, () => Array.from(env.regimes));
    const stays = Array.from({ length: 200 }, (_, e) => steps.filter((row) => row[e] === 1).length);
    expect([...new Set(stays)].sort()).toEqual([2, 3, 4, 5]);
    env.dispose();
  });

  test('a chance enters in about as many copies', () => {
    const env = build('regime a default regime b schedule { at step 1 with chance 25% enter b }', {
      numEnvs: 800,
    });
    follow(env, 2, () => null);
    const entered = env.regimes.filter((regime) => regime === 1).length;
    expect(entered).toBeGreaterThan(150);
    expect(entered).toBeLessThan(250);
    env.dispose();
  });

  test('of entries due at one step the first of the text wins, also against the end of a stay', () => {
    const env = build(
      `regime a default regime b regime c
       schedule { at step 1 enter b leave after 2 steps  at step 3 enter c  every 3 steps enter b }`,
    );
    expect(follow(env, 7, regimeNames).join('')).toBe('abbcccb');
    env.dispose();
  });

  test('recognises the first whose condition holds, in order of names, else the default', () => {
    const env = build(
      `regime late { when time >= 4 steps } regime even { when time >= 2 steps and time < 6 steps }
       regime other default`,
    );
    expect(follow(env, 8, regimeNames)).toEqual([
      'other',
      'other',
      'even',
      'even',
      'even',
      'even',
      'late',
      'late',
    ]);
    env.dispose();
  });

  test('a trap of a recognising condition names the regime that has it', () => {
    const env = build('regime a default regime b { when 1 / (time - 2 steps) * 1 steps > 3 }');
    for (let t = 0; t < 3; t++) env.step(new Int32Array(numEnvs * env.numAgents));
    expect(new Set(env.takeTraps().map((trap) => trap.declaration))).toEqual(new Set(['b']));
    env.dispose();
  });

  test('the next episode begins in the start again', () => {
    const env = build(
      'set episode.length = 6 steps regime a default regime b schedule { at step 4 enter b }',
    );
    expect(follow(env, 12, regimeNames).join('')).toBe('aaaabbaaaabb');
    env.dispose();
  });
});

describe('lowerEvents', () => {
  test('happens at every multiple but not at the beginning, and once at its step', () => {
    const env = build(
      'event often { every 4 steps disturb push agent_0 } event once { at step 0 disturb push agent_0 }',
      { numEnvs: 1 },
    );
    const often: number[] = [];
    const once: number[] = [];
    for (let t = 0; t < 10; t++) {
      env.step(new Int32Array(env.numAgents));
      const counts = env.takeFireCounts();
      often.push(counts[0] ?? -1);
      once.push(counts[1] ?? -1);
    }
    expect(often).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect(once).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    env.dispose();
  });

  test('a push moves whom it pushes and nobody else', () => {
    const speeds = 'reward z { for a in agent give abs(a.vx / 1 m/s) + abs(a.vy / 1 m/s) to a }';
    const quiet = build(speeds, { numEnvs: 1 });
    const pushed = build(`event e { at step 2 disturb push agent_0 by 2 m/s } ${speeds}`, { numEnvs: 1 });
    const speedsOf = (env: VecEnv) => {
      const at = (agent: number) => env.components[(agent + 1) * env.numComponents - 1] ?? 0;
      return [at(0), at(1)];
    };
    const before = follow(quiet, 3, speedsOf).at(-1) ?? [];
    const after = follow(pushed, 3, speedsOf).at(-1) ?? [];
    expect(before[0]).toBe(0);
    expect(after[0]).toBeGreaterThan(0.5);
    expect(after[1]).toBe(before[1]);
    quiet.dispose();
    pushed.dispose();
  });

  test('a chance is drawn for every instance by itself', () => {
    const env = build('event e { every 1 steps with chance 30% for a in agent disturb push a by 0 m/s }', {
      numEnvs: 50,
    });
    follow(env, 21, () => null);
    const share = fireOf(env, 'e') / (50 * 20 * 3);
    expect(share).toBeGreaterThan(0.25);
    expect(share).toBeLessThan(0.35);
    env.dispose();
  });

  test('another event beside it changes nothing of what it draws', () => {
    const shove = 'event shove { every 2 steps with chance 50% for a in agent disturb push a by 1 m/s }';
    const rows = [
      shove,
      `event idle { every 3 steps with chance 40% when time > 24 steps disturb push agent } ${shove}`,
    ];
    const hashes = rows.map((body) => {
      const env = build(body);
      follow(env, 12, () => null);
      const fired = fireOf(env, 'shove');
      const state = Array.from(env.state);
      env.dispose();
      return { fired, state };
    });
    expect(hashes[0]).toEqual(hashes[1]);
  });

  test('recent sees the step of the event and so many after it; an event condition looks back from the step before', () => {
    const env = build(
      `event e { at step 3 disturb push agent_0 by 0 m/s }
       event echo { when recent(e, 2 steps) disturb push agent_1 by 0 m/s }
       reward z { when recent(e, 2 steps) give 1 to agent_0 }`,
      { numEnvs: 1 },
    );
    const echoes: number[] = [];
    const seen = follow(env, 8, (stepped) => {
      echoes.push(fireOf(stepped, 'echo'));
      return given(stepped);
    });
    expect(seen).toEqual([0, 0, 0, 1, 1, 0, 0, 0]);
    expect(echoes).toEqual([0, 0, 0, 0, 1, 1, 0, 0]);
    env.dispose();
  });
});

describe('lowerNpcs', () => {
  const spread = 'metric gap { mean over a in agent of distance(a, landmark_0) unit m over episode last }';

  /** Where 24 steps under an npc lead, whatever a learner would do. */
  function play(behaviours: string, action: number): { hash: string; gap: number } {
    const env = build(`npc n { control agent ${behaviours} } ${spread}`);
    for (let t = 0; t < 24; t++) env.step(new Int32Array(numEnvs * env.numAgents).fill(action));
    const gaps = Array.from(env.probe()).filter(Number.isFinite);
    const result = { hash: env.stateHash(), gap: gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length };
    env.dispose();
    return result;
  }

  test('the first behaviour that holds wins; the actions of a learner do not count', () => {
    const approach = 'goto landmark_0 when distance > 0.1 m otherwise hold';
    expect(play(approach, 1)).toEqual(play(approach, 0));
    expect(play(approach, 0).gap).toBeLessThan(play('hold when time >= 0 steps otherwise wander', 0).gap / 2);
  });

  test('counts the agents that a condition decided on', () => {
    const env = build('npc n { control agent hold when time < 2 steps otherwise wander }', { numEnvs: 1 });
    follow(env, 5, () => null);
    expect(fireOf(env, 'n')).toBe(2 * 3);
    env.dispose();
  });
});
