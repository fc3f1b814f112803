import { describe, expect, test } from 'vitest';
import { bringIntoForce } from '../../../../src/engine/coach/in-force.ts';
import { playRandomly } from '../../../../src/engine/coach/propose-once/random-play.ts';
import type { RecordedStep, Recording } from '../../../../src/engine/coach/types.ts';
import { checkEvidence } from '../../../../src/engine/coach/validate/fire-evidence.ts';
import type { Reason } from '../../../../src/engine/coach/validate/reason.ts';
import type { CompiledEnvironment } from '../../../../src/engine/edl/index.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { coachEdl, compiled, failingSeries, roundContext, spreadText } from '../../../support/coach-world.ts';

const random = await roundContext().readRecording();

interface Case {
  /** Declarations in force beside those of spreadText. */
  readonly inForce?: string;
  readonly added: string;
  readonly text?: string;
  readonly recording?: Recording;
  readonly bring?: (environment: CompiledEnvironment) => CompiledEnvironment;
}

/** What is said against adding declarations to an environment. */
function reasonsOf({ inForce = '', added, text = spreadText, recording = random, bring }: Case): Reason[] {
  const into = (declarations: string) => text.replace(/\}\s*$/, `${declarations}\n}\n`);
  const environmentOf = (whole: string) => (bring ?? ((same) => same))(compiled(whole));
  const after = into(`${inForce}\n${added}`);
  const known = new Set(compiled(into(inForce)).declarations.map(({ target }) => target));
  const candidate = environmentOf(after);
  const changed = candidate.declarations.map(({ target }) => target).filter((target) => !known.has(target));
  return checkEvidence({
    edl: {
      compile: coachEdl.compile,
      applyChanges(before, changes) {
        const result = coachEdl.applyChanges(before, changes);
        return 'refused' in result || bring === undefined
          ? result
          : { ...result, environment: bring(result.environment) };
      },
    },
    createVecEnv,
    current: environmentOf(into(inForce)),
    text: after,
    candidate,
    changed: new Set(changed),
    recording,
    objective: { metric: 'episode_return', group: 'agent' },
    series: failingSeries,
  });
}

const codesOf = (asked: Case): string[] =>
  reasonsOf(asked).map(({ code, severity }) => `${code} ${severity}`);

/** Every example names steps that are on record. */
function expectOnRecord(reasons: readonly Reason[], { stretches, round }: Recording): void {
  for (const example of reasons.flatMap(({ examples }) => examples)) {
    expect(example.round).toBe(round);
    const isThere = stretches.some(
      ({ copy, time, steps }) =>
        copy === example.copy && example.from >= time && example.to < time + steps.length,
    );
    expect(isThere, JSON.stringify(example)).toBe(true);
  }
}

describe('contradiction among rewards', () => {
  const near = (value: string) =>
    `reward near { for a in agent when distance(a, nearest(landmark)) < 0.4 m give ${value} to a }`;

  test('one that gives back what another takes is refused, with steps to look at', () => {
    const reasons = reasonsOf({ added: near('1') });
    expect(reasons).toMatchObject([{ code: 'contradicts', severity: 'error' }]);
    expect(reasons[0]?.message).toContain('reward near takes back what reward crowding gives');
    expect(reasons[0]?.evidence.opposed).toBe(reasons[0]?.evidence.both);
    expect(reasons[0]?.examples.length).toBeGreaterThan(0);
    expectOnRecord(reasons, random);
  });

  test('one that outweighs it, or pays the same way, is not', () => {
    expect(codesOf({ added: near('2') })).toEqual([]);
    expect(codesOf({ added: near('-1') })).toEqual([]);
  });
});

describe('contradiction among rules', () => {
  const slow = 'rule slow { for a in agent when distance(a, nearest(landmark)) < 1 m then a.accel *= 0.5 }';
  const fast = (factor: number, condition = 'when distance(a, nearest(landmark)) < 1 m') =>
    `rule fast { for a in agent ${condition} then a.accel *= ${factor} }`;

  test('a rule that undoes another wherever both are at work is refused', () => {
    const reasons = reasonsOf({ inForce: slow, added: fast(2) });
    expect(reasons).toMatchObject([{ code: 'contradicts', severity: 'error' }]);
    expect(reasons[0]?.message).toMatch(/^rule fast undoes rule slow: in \d+ of \d+/);
    expect(reasons[0]?.examples).toHaveLength(3);
    expectOnRecord(reasons, random);
  });

  test('one that leaves something of it is not', () => {
    expect(codesOf({ inForce: slow, added: fast(1.5) })).toEqual([]);
  });
});

describe('constraints that a rule leaves no way to keep', () => {
  const moving =
    'constraint moving { for a in agent never abs(a.vx) < 0.06 m/s and abs(a.vy) < 0.06 m/s penalty 0.01 }';
  const freeze = 'rule freeze { for a in agent when time > 1 steps then a.max_speed = 0.05 m/s }';

  test('the rule is refused beside the constraint', () => {
    const reasons = reasonsOf({ inForce: moving, added: freeze });
    expect(reasons.map(({ code }) => code)).toEqual(['forcesViolation']);
    const { evidence = {} } = reasons[0] ?? {};
    expect(evidence.broken).toBeGreaterThan(2 * (evidence.brokenWithout ?? 0));
    expectOnRecord(reasons, random);
  });

  test('and the constraint beside the rule', () => {
    expect(codesOf({ inForce: freeze, added: moving })).toEqual(['forcesViolation error']);
  });

  test('a rule that leaves a way is not', () => {
    expect(codesOf({ inForce: moving, added: freeze.replace('0.05', '1') })).toEqual([]);
  });
});

describe('reach of the objective', () => {
  test('a constraint that forbids just the best paid steps is refused', () => {
    const aloof = (metres: number) => `constraint aloof { never mean_distance < ${metres} m }`;
    const reasons = reasonsOf({ added: aloof(0.55) });
    expect(reasons).toMatchObject([{ code: 'unreachable', severity: 'error' }]);
    expect(reasons[0]?.message).toContain('forbids what is paid for');
    expectOnRecord(reasons, random);
    expect(codesOf({ added: aloof(0.2) })).toEqual([]);
  });

  const bring = (environment: CompiledEnvironment) =>
    bringIntoForce(environment, { opponents: { agent: 'greedy' }, stage: null });
  const skilled = playRandomly(createVecEnv, bring(compiled()), 'agent', 5).recording;

  test('one that all recorded successes would have broken is refused, with their counts', () => {
    const added = 'constraint apart { never covered > 60% }';
    const reasons = reasonsOf({ added, recording: skilled, bring });
    expect(reasons).toMatchObject([{ code: 'unreachable', severity: 'error' }]);
    expect(reasons[0]?.evidence.successes).toBeGreaterThan(10);
    expect(reasons[0]?.evidence.violating).toBe(reasons[0]?.evidence.successes);
    expectOnRecord(reasons, skilled);
  });

  test('one that some successes kept is not', () => {
    const added = 'constraint clear { for a in agent never distance(a, nearest(landmark)) > 0.8 m }';
    expect(codesOf({ added, recording: skilled, bring })).toEqual([]);
  });

  test('a rule under which the same play succeeds no more is a doubt', () => {
    const added = 'rule crawl { for a in agent when time > 2 steps then a.max_speed = 0.05 m/s }';
    const reasons = reasonsOf({ added, recording: skilled, bring });
    expect(reasons.map(({ code, severity }) => [code, severity])).toEqual([['losesSuccess', 'warning']]);
    expectOnRecord(reasons, skilled);
  });
});

describe('an environment that declares nothing but parameters', () => {
  const text = 'environment spread extends simple_spread {\n  set agent.accel = 4 m/s^2\n}\n';
  const added = 'set agent.max_speed = 0.05 m/s';

  test('is held against the record, too', () => {
    const bring = (environment: CompiledEnvironment) =>
      bringIntoForce(environment, { opponents: { agent: 'greedy' }, stage: null });
    const recording = playRandomly(createVecEnv, bring(compiled(text)), 'agent', 5).recording;
    expect(codesOf({ text, added, recording, bring })).toEqual(['losesSuccess warning']);
    expect(codesOf({ text, added: 'set agent.max_speed = 19 m/s', recording, bring })).toEqual([]);
  });

  test('needs one', () => {
    const recording = { round: 0, steps: [], stretches: [] };
    expect(codesOf({ text, added, recording })).toEqual(['noRecord error']);
  });
});

describe('ends of stages', () => {
  const staged = (until: string) =>
    `stage near { set landmark.spawn = 0.3 m until ${until} }\n  stage far { }`;

  test('one that holds already would be over at once', () => {
    // The last evaluation has coverage 0.1.
    expect(codesOf({ added: staged('coverage > 5%') })).toEqual(['stageAtOnce error']);
    expect(codesOf({ added: staged('coverage > 50%') })).toEqual([]);
  });

  test('one beyond what its metrics can be never comes', () => {
    const reasons = reasonsOf({ added: staged('coverage > 50% and success < coverage - 100%') });
    expect(reasons.map(({ code }) => code)).toEqual(['stageNever']);
    expect(reasons[0]?.message).toContain('coverage ranges from 0 to 1');
  });
});

describe('ends of stages by a metric without bounds', () => {
  test('are not said never to come', () => {
    const inForce =
      'metric gap "How far the nearest landmark is" { mean over a in agent of distance(a, nearest(landmark)) / 1 m over episode last better lower }';
    const added = 'stage near { set landmark.spawn = 0.3 m until gap < 0.01 }\n  stage far { }';
    expect(codesOf({ inForce, added })).toEqual([]);
  });
});

describe('rewards for going round', () => {
  const text = spreadText.replace('set agent.accel', 'set episode.length = 200\n  set agent.accel');
  /** Every agent swings from left to right and back. */
  const swinging = ((): Recording => {
    const env = createVecEnv(compiled(text).spec, { numEnvs: 8, seed: 3n, firstEpisode: 0 });
    env.reset(3n, 0);
    const stretches = Array.from({ length: 8 }, (_, copy) => ({
      copy,
      time: 0,
      steps: [] as RecordedStep[],
    }));
    for (let step = 0; step < 96; step++) {
      const actions = new Int32Array(24).fill((step + 4) % 16 < 8 ? 1 : 2);
      for (const { copy, steps } of stretches) {
        steps.push({ snapshot: env.snapshot(copy), actions: actions.slice(0, 3) });
      }
      env.step(actions);
    }
    env.dispose();
    return { round: 0, steps: stretches.flatMap(({ steps }) => steps), stretches };
  })();
  const restless = (clause = '') =>
    `reward restless { for a in agent when abs(a.vx) > 0.2 m/s give 1 to a ${clause} limit 90% of nominal }`;

  test('pay for loops without base reward is a doubt, and names loops on record', () => {
    const reasons = reasonsOf({ added: restless(), text, recording: swinging });
    expect(reasons.map(({ code, severity }) => [code, severity])).toEqual([['paysForLoops', 'warning']]);
    const { evidence = {}, examples = [] } = reasons[0] ?? {};
    expect(evidence.paying).toBeGreaterThan(2);
    expect(evidence.paying).toBeLessThanOrEqual(evidence.loops ?? 0);
    expect(examples[0]).toMatchObject({ round: 0 });
    expect((examples[0]?.to ?? 0) - (examples[0]?.from ?? 0)).toBe(evidence.length);
    expectOnRecord(reasons, swinging);
  });

  test('a potential, and what pays too little, is none', () => {
    const potential = 'reward restless { for a in agent give 0.1 * abs(a.vx) / 1 m * 1 s to a potential }';
    expect(codesOf({ added: potential, text, recording: swinging })).toEqual([]);
    expect(codesOf({ added: restless().replace('give 1', 'give 0.01'), text, recording: swinging })).toEqual(
      [],
    );
  });

  test('where nothing comes back there is nothing to smell', () => {
    expect(codesOf({ added: restless() })).toEqual([]);
  });
});

describe('effects beyond the bounds', () => {
  const rule = (factor: number) =>
    `rule push { for a in agent when distance(a, nearest(landmark)) < 0.5 m then a.accel *= ${factor} }`;

  test('a factor that the bounds hold back throughout is a doubt', () => {
    const reasons = reasonsOf({ added: rule(5) });
    expect(reasons).toMatchObject([{ code: 'cutOff', severity: 'warning', evidence: { different: 0 } }]);
    expect(reasons[0]?.message).toContain('"accel" (0 to 10)');
    expect(reasons[0]?.evidence.fired).toBeGreaterThan(0);
  });

  test('one within them is none', () => {
    expect(codesOf({ added: rule(2) })).toEqual([]);
  });
});

describe('what single steps show', () => {
  const near = (clauses: string) => `reward near { for a in agent ${clauses} }`;

  test.each([
    ['neverFires', near('when distance(a, nearest(landmark)) < 0.000001 m give 1 to a')],
    ['alwaysFires', near('when distance(a, nearest(landmark)) < 90 m give 1 to a')],
    ['tooLarge', near('give 50 * distance(a, nearest(landmark)) / 1 m to a')],
    ['traps', near('give 0.001 / max(0, 0.2 - distance(a, nearest(landmark)) / 1 m) to a')],
    ['noEffect', 'rule fast { for a in agent then a.max_speed *= 0.9 }'],
  ])('%s comes with steps to look at', (code, added) => {
    const reasons = reasonsOf({ added }).filter((reason) => reason.code === code);
    expect(reasons).toHaveLength(1);
    expect(reasons[0]?.examples.length).toBeGreaterThan(0);
    expectOnRecord(reasons, random);
  });
});

describe('what the environment computes wrongly already', () => {
  const undefinedWithin = (name: string, bound: number) =>
    `reward ${name} { for a in agent give 0.001 / max(0, distance(a, nearest(landmark)) / 1 m - ${bound}) to a }`;

  test('is held against no change, and more of it is', () => {
    const inForce = undefinedWithin('near', 0.1);
    const kept = 'reward apart { for a in agent when distance(a, nearest(agent)) < 0.4 m give -0.05 to a }';
    expect(codesOf({ inForce, added: kept }).filter((code) => code.startsWith('traps'))).toEqual([]);
    expect(codesOf({ inForce, added: undefinedWithin('wider', 0.5) })).toContain('traps error');
    expect(codesOf({ added: undefinedWithin('near', 0.1) })).toContain('traps error');
  });
});

describe('what only time shows', () => {
  test('a condition on what happened steps before does not count as one that never holds', () => {
    const inForce = 'event gust { at step 5 disturb push agent_0 by 1 m/s }';
    const added = 'reward braced { for a in agent when recent(gust, 3 steps) give 0.1 to a }';
    expect(codesOf({ inForce, added })).toEqual([]);
  });

  test('so does an undefined value: it is refused with steps to look at, unless it was there before', () => {
    const gust = 'event gust { at step 5 disturb push agent_0 by 1 m/s }';
    const late = (name: string, amount: number) =>
      `reward ${name} { for a in agent when recent(gust, 3 steps) and time > 6 steps give ${amount} / max(0, -distance(a, nearest(landmark)) / 1 m) to a }`;
    const reasons = reasonsOf({ inForce: gust, added: late('braced', 0.1) });
    expect(reasons.map(({ code }) => code)).toContain('traps');
    const { message, examples = [] } = reasons.find(({ code }) => code === 'traps') ?? {};
    expect(message).toMatch(/in \d+ of \d+ steps of recorded stretches$/);
    expect(examples.length).toBeGreaterThan(0);
    expectOnRecord(reasons, random);
    const kept = 'reward apart { for a in agent when distance(a, nearest(agent)) < 0.4 m give -0.05 to a }';
    const known = codesOf({ inForce: `${gust}\n${late('braced', 0.1)}`, added: kept });
    expect(known).not.toContain('traps error');
  });
});
