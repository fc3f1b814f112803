import { describe, expect, test } from 'vitest';
import { describeOutcome, formatStudy } from '../../../src/main/cli/study-table.ts';
import type { ArmSummary } from '../../../src/shared/contract/runs.ts';
import { makeProposal, makeRun, makeStudy } from '../../support/views.ts';

const fixed: ArmSummary = {
  name: 'fixed',
  coach: null,
  seeds: [1, 2, 3],
  objective: { iqm: -20, low: -21, high: -19, numSeeds: 3 },
  vsBaseline: null,
};

const arm = (name: string, low: number, high: number, numPairs = 3): ArmSummary => ({
  name,
  coach: { provider: 'rules', model: null },
  seeds: [1, 2, 3],
  objective: { iqm: -18, low: -19, high: -17, numSeeds: numPairs },
  vsBaseline: { difference: (low + high) / 2, low, high, numPairs, probabilityOfImprovement: 0.9 },
});

describe('describeOutcome', () => {
  test('names an arm whose whole interval lies above zero', () => {
    expect(describeOutcome(makeStudy({ arms: [fixed, arm('coached', 1, 3)] }))).toMatch(
      /^coached did better than fixed/,
    );
  });

  test('says that nothing won when every interval holds zero', () => {
    const text = describeOutcome(makeStudy({ arms: [fixed, arm('random', -2, 1), arm('coached', -1, 3)] }));
    expect(text).toMatch(/^Nothing won: no arm is better than fixed/);
  });

  test('says that nothing won, and what lost, when an interval lies below zero', () => {
    expect(describeOutcome(makeStudy({ arms: [fixed, arm('random', -3, -1)] }))).toMatch(
      /^Nothing won: random did worse than fixed/,
    );
  });

  test('turns the sign where lower is better', () => {
    const objective = { metric: 'collisions', group: 'agent', better: 'lower' } as const;
    const text = describeOutcome(makeStudy({ objective, arms: [fixed, arm('coached', -3, -1)] }));
    expect(text).toMatch(/^coached did better/);
  });

  test('claims nothing of one or two paired seeds', () => {
    expect(describeOutcome(makeStudy({ arms: [fixed, arm('coached', 2, 2, 1)] }))).toMatch(
      /^Undecided: 1 paired seed/,
    );
    expect(describeOutcome(makeStudy({ arms: [fixed, arm('coached', 1, 3, 2)] }))).toMatch(
      /^Undecided: 2 paired seeds/,
    );
  });

  test('claims nothing for a study of one arm', () => {
    expect(describeOutcome(makeStudy({ arms: [fixed] }))).toMatch(/^There is nothing to compare/);
  });
});

describe('formatStudy', () => {
  const accepted = makeProposal({ state: 'accepted', validation: { isValid: true, reasons: [] } });
  const refused = makeProposal({
    proposalId: 'proposal-2',
    state: 'invalid',
    validation: { isValid: false, reasons: [] },
  });
  const text = formatStudy(makeStudy({ arms: [fixed, arm('coached', 1, 3)] }), [accepted, refused]);

  test('gives intervals, signed differences and the funnel of each arm', () => {
    expect(text).toContain('-20.000 [-21.000, -19.000]');
    expect(text).toContain('+2.000 [+1.000, +3.000]');
    expect(text).toContain('2 / 1 / 0 / 1');
  });

  test('counts a trial that broke down as tried, as reports do', () => {
    const trial = { candidate: 'c', pairs: [], chargedSteps: 100 };
    const broken = makeProposal({ trial: { ...trial, state: 'brokeDown', failure: 'it broke down' } });
    expect(formatStudy(makeStudy({ arms: [fixed, arm('coached', 1, 3)] }), [broken])).toContain(
      '1 / 0 / 1 / 0',
    );
  });

  test('counts only seeds that have a result', () => {
    const runs = [1, 2, 3].map((seed) =>
      makeRun({ runId: `r${seed}`, seed, arm: 'fixed', state: seed === 3 ? 'failed' : 'finished' }),
    );
    expect(formatStudy(makeStudy({ runs, arms: [fixed] }), [])).toContain('2 of 3');
  });

  test('warns of runs whose episodes were cut short', () => {
    const first = { round: 1, declaration: 'boom', episode: 12, step: 3, reason: 'division' } as const;
    const runs = [makeRun({ seed: 4, traps: { count: 250, first } }), makeRun()];
    const told = formatStudy(makeStudy({ runs, arms: [fixed] }), []);
    expect(told).toContain(
      'Warning: traps cut 250 training episodes of fixed seed 4 short, first in round 2: boom divided by 0 in step 3 of episode 12.',
    );
    expect(text).not.toContain('traps');
  });

  test('warns of an arm whose coach gave no usable answer, and says why', () => {
    const failure = { code: 'model.invalid', message: 'the file is cut off' };
    const failed = makeProposal({ provider: 'llama', state: 'failed', failure });
    const remembered = { ...accepted, provider: 'memory' };
    const told = formatStudy(makeStudy({ arms: [fixed, arm('coached', 1, 3)] }), [
      failed,
      failed,
      remembered,
    ]);
    expect(told).toContain(
      "No answer of coached's coach was usable; most often (2×): the file is cut off (model.invalid).",
    );
    expect(text).not.toContain('usable');
  });

  test('calls the range of few seeds a range, and says what it covers', () => {
    expect(text).toContain('objective IQM [range]');
    expect(text).toContain('difference to fixed [range]');
    expect(text).toContain('by the range of the paired differences');
    expect(text).toContain('With 3 paired seeds the brackets hold the range of the values');
    expect(text).toContain('75.0 % of cases');
    expect(text).not.toContain('[95 %]');
  });

  test('calls it 95 % from six seeds on, and warns of nothing', () => {
    const sixth: ArmSummary = { ...fixed, objective: { iqm: -20, low: -21, high: -19, numSeeds: 6 } };
    const shown = formatStudy(makeStudy({ arms: [sixth, arm('coached', 1, 3, 6)] }), []);
    expect(shown).toContain('objective IQM [95 %]');
    expect(shown).toContain('difference to fixed [95 %]');
    expect(shown).not.toContain('range');
  });

  test('names the rule coach as what it is', () => {
    expect(text).toContain('coached: the rule coach (hand-written rules, not a language model)');
  });

  test('names the coach of an arm as configured, also where memory answered last', () => {
    const coached = { ...arm('coached', 1, 3), coach: { provider: 'llama', model: 'models/tiny.gguf' } };
    const answered = [
      makeProposal({ proposalId: 'proposal-2', provider: 'memory', model: null }),
      makeProposal({ provider: 'llama', model: 'tiny' }),
    ];
    const told = formatStudy(makeStudy({ arms: [fixed, coached] }), answered);
    expect(told).toContain('  coached: llama (models/tiny.gguf)');
    expect(told).not.toContain('memory');
    expect(told).not.toContain('  fixed: ');
  });
});

describe('the table of a study of one arm', () => {
  test('compares nothing, and names no proposals where nobody was asked', () => {
    const text = formatStudy(makeStudy({ arms: [fixed] }), []);
    expect(text).toMatch(/arm +seeds +objective IQM/);
    expect(text).not.toMatch(/paired|P\(improve\)|proposals|nothing to compare/);
    expect(formatStudy(makeStudy({ arms: [fixed, arm('random', -2, 1)] }), [])).toMatch(
      /paired difference.*proposals/,
    );
  });
});
