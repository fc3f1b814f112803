import { describe, expect, test } from 'vitest';
import { accepted, expectMisuse, type Misuse } from '../../../support/edl-checks.ts';

const regimes =
  'regime calm default regime storm { set agent.accel = 2 } regime gale { set agent.accel = 3 }';

const misuses: Misuse[] = [
  ['EDL219', `${regimes} schedule { at step 3 enter strom }`, "unknown regime 'strom'", 'storm'],
  ['EDL219', `${regimes} schedule { start clam }`, "unknown regime 'clam'", 'calm'],
  ['EDL219', 'schedule { start calm }', "unknown regime 'calm'"],
  ['EDL505', `${regimes} schedule { every 0 steps enter storm }`, 'ranges from 1'],
  ['EDL505', `${regimes} schedule { at step 3 with chance 101% enter storm }`, '0% to 100%'],
  [
    'EDL505',
    `${regimes} schedule { at step 3 enter storm leave after 9..3 steps }`,
    'the shorter comes first',
    'leave after 3..9 steps',
  ],
  ['EDL505', `${regimes} schedule { at step 3 enter storm leave after 0 steps }`, 'a stay ranges from 1'],
  ['EDL302', `${regimes} schedule { at step 3 enter storm leave after 2 m }`, 'a stay is a time'],
  ['EDL514', `${regimes} schedule { at step 100 enter storm }`, 'entering storm never happens'],
  ['EDL514', `${regimes} schedule { every 60 s enter storm }`, 'never happens'],
  ['EDL209', `${regimes} schedule { start calm } schedule { start storm }`, "'schedule' is declared twice"],
];

describe('scheduleKind', () => {
  test.each(misuses)('answers %s: %s', (...misuse) => {
    expectMisuse(misuse);
  });

  test('reads moments, chances, orders and stays', () => {
    const { ir } = accepted(
      `${regimes} schedule { start storm at 10 s with chance 20% enter storm, gale in random order leave after 2..4 s every 7 steps enter gale }`,
    );
    expect(ir.schedule).toEqual({
      start: 'storm',
      entries: [
        {
          moment: { op: 'at', steps: 20 },
          chance: 0.2,
          regimes: ['storm', 'gale'],
          order: 'random',
          leave: { from: 4, to: 8 },
        },
        { moment: { op: 'every', steps: 7 }, chance: 1, regimes: ['gale'], order: 'turn', leave: null },
      ],
    });
  });

  test('naming the default as the start is the same as naming none', () => {
    const entry = 'at step 3 enter storm';
    const named = accepted(`${regimes} schedule { start calm ${entry} }`);
    expect(accepted(`${regimes} schedule { ${entry} }`).identity).toBe(named.identity);
  });

  test('the order of its entries is part of the identity, that of the regimes is not', () => {
    const [a, b] = ['at step 3 enter storm', 'at step 4 enter gale'];
    const one = accepted(`${regimes} schedule { ${a} ${b} }`);
    expect(accepted(`${regimes} schedule { ${b} ${a} }`).identity).not.toBe(one.identity);
    const turned =
      'regime gale { set agent.accel = 3 } regime storm { set agent.accel = 2 } regime calm default';
    expect(accepted(`schedule { ${a} ${b} } ${turned}`).identity).toBe(one.identity);
  });
});
