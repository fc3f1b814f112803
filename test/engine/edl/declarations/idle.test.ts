import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { explain } from '../../../../src/engine/edl/explain/explain.ts';
import { scenarioHost } from '../../../../src/engine/language/scenario-host.ts';

function told(scenario: string, body: string): string[] {
  const { diagnostics } = compile(`environment e extends ${scenario} {\n${body}\n}`, scenarioHost);
  return diagnostics.map(({ code, message }) => `${code} ${message}`);
}

const spread = (body: string): string[] => told('simple_spread', body);
const capture = (body: string): string[] => told('capture', body);
const regimes =
  'regime calm default regime storm { set agent.accel = 2 } regime gale { set agent.accel = 3 }';

describe('effects at a bound', () => {
  test.each([
    [
      'agent.max_speed *= 2',
      "EDL506 the effect changes nothing: 'max_speed' is 20 m/s, its upper bound already",
    ],
    [
      'agent.max_speed *= 2 lasting',
      "EDL506 the effect changes nothing: 'max_speed' is 20 m/s, its upper bound already",
    ],
    [
      'agent.accel *= -1',
      "EDL516 'accel' is always held at 0 m/s^2, its lower bound: the effect leads beyond it",
    ],
    [
      'agent.accel += 1000 m/s^2',
      "EDL516 'accel' is always held at 10 m/s^2, its upper bound: the effect leads beyond it",
    ],
    [
      'agent.accel *= 4',
      "EDL516 'accel' is always held at 10 m/s^2, its upper bound: the effect leads beyond it",
    ],
    ['agent.accel *= 1', 'EDL506 the effect changes nothing'],
  ])('%s', (effect, message) => {
    expect(spread(`rule r { then ${effect} }`)).toEqual([message]);
  });

  test.each([
    'rule r { then agent.accel *= 1.5 }',
    'rule r { then agent.accel *= 2 }',
    'rule r { then agent.accel *= 0 }',
    'rule r { then agent.max_speed *= 0.5 }',
    'rule r { then agent.accel *= 4 } rule s { then agent_0.accel *= 0.1 then agent_1.accel *= 0.1 then agent_2.accel *= 0.1 }',
    'set agent.max_speed = 5 m/s rule r { then agent.max_speed *= 2 }',
    `${regimes} schedule { every 5 steps enter storm, gale in turn } rule r { then agent.accel *= 2.5 }`,
    'rule r { for a in agent then a.accel += 1 m/s * distance(a, landmark_0) / 1 m / 1 s }',
  ])('nothing is said of %s', (body) => {
    expect(spread(body)).toEqual([]);
  });
});

describe('what never comes to anything', () => {
  test('gifts and disturbances of nothing', () => {
    expect(spread('reward r { give 0 to agent }')).toEqual(['EDL506 nothing is given: it is 0']);
    expect(spread('event e { every 5 steps disturb push agent_0 by 0 m/s }')).toEqual([
      "EDL506 'disturb push' by 0 changes nothing",
    ]);
    expect(spread('event e { every 5 steps disturb push agent_0 by 1 m/s }')).toEqual([]);
  });

  test('a spawn without room', () => {
    expect(capture('set supply.capacity = 0 event e { every 50 steps spawn supply at random }')).toEqual([
      "EDL514 'spawn supply' never happens: 'supply' has no member: 'capacity supply N' makes room",
    ]);
    const room = 'capacity supply 2';
    expect(capture(`${room} event e { every 50 steps spawn supply at random }`)).toEqual([]);
  });

  test('loops over nobody', () => {
    expect(
      spread('set agent.count = 1 reward r { for a in agent for b in other(a) give distance(a, b) to a }'),
    ).toEqual(["EDL514 'other(a)' has no members here: the block never happens"]);
    expect(
      capture('set red.support.count = 0 reward r { for a in red_support give a.x / 1 m to a }'),
    ).toEqual(["EDL514 'red_support' has no members here: the block never happens"]);
    expect(
      capture(
        'set red.support.count = 0 capacity red_support 2 reward r { for a in red_support give a.x / 1 m to a }',
      ),
    ).toEqual([]);
  });

  test('a schedule that enters nothing', () => {
    expect(spread(`regime calm default schedule { }`)).toEqual([
      "EDL506 the schedule enters nothing: write 'at step 100 enter NAME', or drop it",
    ]);
    expect(
      spread('regime calm default regime storm { set agent.accel = 2 } schedule { start storm }'),
    ).toEqual([]);
  });

  test('a ramp that outlasts the episode', () => {
    const with_ = (steps: number): string =>
      `regime calm default regime storm { set agent.accel = 2 ramp ${steps} steps } schedule { at step 3 enter storm }`;
    expect(spread(with_(500))).toEqual([
      'EDL514 the ramp never reaches its end: it takes 500 steps, an episode 25',
    ]);
    expect(spread(with_(20))).toEqual([]);
  });

  test.each([
    ['every 5 steps enter storm every 10 steps enter gale', true],
    ['every 5 steps enter storm at step 20 enter gale', true],
    ['at step 3 enter storm at step 3 enter gale', true],
    ['every 5 steps with chance 100% enter storm every 5 steps enter gale', true],
    ['every 5 steps with chance 50% enter storm every 10 steps enter gale', false],
    ['every 5 steps enter storm at step 0 enter gale', false],
    ['every 10 steps enter storm every 5 steps enter gale', false],
    ['at step 10 enter storm every 10 steps enter gale', false],
  ])('the order of %s', (entries, isLost) => {
    const [first = ''] = entries.split(/ (?:with|enter)/);
    expect(spread(`${regimes} schedule { ${entries} }`)).toEqual(
      isLost
        ? [`EDL514 entering gale never happens: '${first}' comes first and fires on the same steps`]
        : [],
    );
  });

  test.each(['leave after 0 steps', 'leave after 9..3 steps'])('one diagnostic for %s', (leave) => {
    const found = spread(
      `regime calm default regime storm { set agent.accel = 2 } schedule { at step 5 enter storm ${leave} }`,
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^EDL505/);
  });
});

describe('switches', () => {
  test('are explained in their own words', () => {
    const text = 'environment e extends simple_spread { set episode.end_on_success = true }';
    const result = explain(text, scenarioHost);
    expect('text' in result ? result.text : '').toContain(
      'set episode.end_on_success = true (the scenario has false): ',
    );
  });

  test.each(['yes', 'no', 'on', '1'])('are not %s', (word) => {
    const [only] = compile(
      `environment e extends simple_spread { set episode.end_on_success = ${word} }`,
      scenarioHost,
    ).diagnostics;
    expect(only?.code).toBe('EDL307');
    expect(only?.suggestions).toEqual([word === 'no' ? 'false' : 'true']);
  });
});
