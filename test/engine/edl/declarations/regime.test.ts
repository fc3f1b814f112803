import { describe, expect, test } from 'vitest';
import { accepted, diagnosed, expectMisuse, type Misuse } from '../../../support/edl-checks.ts';

const enter = 'schedule { at step 5 enter storm }';

const misuses: Misuse[] = [
  [
    'EDL510',
    'regime calm default regime storm { set agent.accel = 2 when time > 3 steps }',
    'it can set nothing',
  ],
  [
    'EDL511',
    `regime calm default regime storm { set agent.accel = 2 } regime fog { when time > 3 steps } ${enter}`,
    'all regimes are of one sort',
  ],
  ['EDL511', `regime calm default regime storm { when time > 3 steps } ${enter}`, 'cannot enter it'],
  ['EDL512', 'regime calm default regime storm default', 'both marked default'],
  ['EDL513', `regime calm regime storm { set agent.accel = 2 } ${enter}`, "'calm' holds where no other does"],
  ['EDL514', 'regime calm default regime storm { set agent.accel = 2 }', 'is never entered'],
  ['EDL503', 'regime calm default default', "'default' is given twice"],
  ['EDL406', 'regime calm { set episode.length = 3 steps }', 'a regime may set agent.accel'],
  ['EDL401', 'regime calm { set agent.accel = 99 }', '0 m/s^2 to 20 m/s^2', '20 m/s^2'],
  ['EDL203', 'regime calm { set agent.acel = 9 }', "unknown parameter 'agent.acel'", 'agent.accel'],
  ['EDL409', 'regime calm { set adversary.count = 4 }', "declare 'capacity adversary 4'", '1'],
  ['EDL506', 'regime calm default { ramp 3 steps }', 'there is nothing to ramp'],
  ['EDL505', 'regime calm default { set agent.accel = 3 ramp 0 steps }', 'a ramp ranges from 1'],
  ['EDL210', 'regime calm { set agent.accel = 3 set agent.accel = 4 }', 'is set twice'],
];

describe('regimeKind', () => {
  test.each(misuses)('answers %s: %s', (...misuse) => {
    expectMisuse(misuse);
  });

  test('the definition is told to others and is no part of the identity', () => {
    const one = accepted('regime calm default safe policy steady "Even forces"');
    const other = accepted('regime calm default safe policy steady');
    expect(one.regimes).toEqual([
      {
        name: 'calm',
        definition: 'Even forces',
        policy: 'steady',
        isDefault: true,
        isSafe: true,
        kind: 'scheduled',
      },
    ]);
    expect(other.identity).toBe(one.identity);
  });

  test('the regime an episode starts in is the default where none is marked', () => {
    const { regimes } = accepted('regime a regime b schedule { start b at step 3 enter a }');
    expect(regimes.map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['a', false],
      ['b', true],
    ]);
  });

  test('of recognised regimes the one without a condition is the default', () => {
    const { regimes } = accepted('regime fog { when time > 3 steps } regime wide');
    expect(regimes.map(({ name, isDefault, kind }) => [name, isDefault, kind])).toEqual([
      ['fog', false, 'recognised'],
      ['wide', true, 'recognised'],
    ]);
  });

  test('a count may rise to the capacity', () => {
    const body = 'capacity adversary 4 regime calm default regime storm { set adversary.count = 4 }';
    expect(diagnosed(`${body} ${enter}`)).toEqual([]);
  });
});
