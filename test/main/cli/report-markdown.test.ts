import { describe, expect, test } from 'vitest';
import { formatReports } from '../../../src/main/cli/report-markdown.ts';
import type { ReportView } from '../../../src/shared/contract/report.ts';

const figure = (iqm: number, numSeeds: number) => ({ iqm, low: iqm - 1, high: iqm + 1, numSeeds });
const paired = (difference: number, numPairs: number) => ({
  difference,
  low: difference - 0.5,
  high: difference + 0.5,
  numPairs,
  probabilityOfImprovement: 1,
});

const view: ReportView = {
  version: 1,
  studyId: 's-1',
  name: 'spread',
  experimentPath: 'experiments/spread.yaml',
  state: 'finished',
  objective: { metric: 'episode_return', group: 'agent', better: 'higher' },
  budget: { steps: 400_000, rounds: 4 },
  baseline: 'fixed',
  random: 'random',
  arms: [],
  final: [
    { arm: 'fixed', figure: figure(-20, 7), vsBaseline: null, vsRandom: paired(-1, 7) },
    { arm: 'coached', figure: figure(-18, 3), vsBaseline: paired(2, 3), vsRandom: null },
  ],
  threshold: null,
  heldOut: { environments: [], overall: [], rounds: [] },
  complexity: [],
  funnel: [],
  probes: [],
  impact: [],
  wishes: [],
  warnings: [],
};

const page = (change: Partial<ReportView>) =>
  formatReports({ reports: [{ ...view, ...change }], across: null });

describe('formatReports', () => {
  test('tells intervals at 95 % from ranges, and nothing around a single seed', () => {
    const text = page({});
    expect(text).toContain(
      '| fixed | 7 | -20.000 [95 % -21.000, -19.000] | – | – | -1.000 [95 % -1.500, -0.500] | 1.00 |',
    );
    expect(text).toContain(
      '| coached | 3 | -18.000 [-19.000, -17.000] | +2.000 [1.500, 2.500] | 1.00 | – | – |',
    );
    const single = page({
      final: [{ arm: 'fixed', figure: figure(1, 1), vsBaseline: null, vsRandom: null }],
    });
    expect(single).toContain('| fixed | 1 | 1.000 | – |');
  });

  test('shows who finds what repairs planted defects, shuffled snapshots apart', () => {
    const half = { value: 0.5, low: 0.4, high: 0.6 };
    const figures = { top1: half, top3: half, reciprocalRank: half };
    const probe = {
      ...{
        version: 2 as const,
        provider: 'llama' as const,
        model: 'tiny',
        modelHash: 'a',
        promptHash: 'abc',
      },
      ...{ isShuffled: true, defects: '0', numDefects: 44, figures, scenarios: [] },
      overRandom: { ...figures, top1: { value: -0.02, low: -0.1, high: 0.06 } },
      overShuffled: { ...figures, reciprocalRank: { value: 0.07, low: -0.1, high: 0.25 } },
    };
    const shown = page({ probes: [{ ...probe, isShuffled: false }, probe] });
    const scores = '50 % [40, 60] | 50 % [40, 60] | 0.50 [0.40, 0.60] | -2 % [-10, 6]';
    expect(shown).toContain(`| llama (tiny) | abc | 44 | ${scores} | 0.07 [-0.10, 0.25] |`);
    expect(shown).toContain(`| llama (tiny), shuffled snapshots | abc | 44 | ${scores} | – |`);
    expect(page({})).toContain('gymwright coach probe');
  });

  test('says what was not measured in place of leaving it out', () => {
    const text = page({});
    expect(text).toContain('The first arm has no result yet, and no threshold was given.');
    expect(text).toContain('The experiment names none (`heldOut`)');
    expect(text).toContain('Nobody was asked.');
    expect(text).toContain('No change with an expected impact was measured.');
  });

  test('leaves out the comparison with random changes where there is no such arm', () => {
    expect(page({ random: null })).toContain('| arm | seeds | IQM | against fixed | P(better) |\n');
  });

  test('keeps what models wrote within its line', () => {
    const wish = { text: 'more | cells\n# and <b>headings</b>', count: 2, provider: 'llama', model: 'm' };
    const text = page({ wishes: [wish], warnings: ['1 of 9 runs are not finished.'] });
    expect(text).toContain('- more \\| cells # and &lt;b>headings&lt;/b> (2×, m)');
    expect(text).toContain('\n> 1 of 9 runs are not finished.\n');
  });

  test('ends with what several studies say together', () => {
    const arm = { arm: 'coached', numStudies: 2, numPairs: 8, probabilityOfImprovement: 0.75 };
    const across = { studies: ['a', 'b'], arms: [{ ...arm, interval: { low: 0.5, high: 1 } }] };
    const text = formatReports({ reports: [], across });
    expect(text).toContain('# Over 2 studies');
    expect(text).toContain('| coached | 2 | 8 | 0.75 | [0.50, 1.00] |');
    const none = formatReports({ reports: [], across: { studies: ['a', 'b'], arms: [] } });
    expect(none).toContain('No arm is in two of them by name.');
  });
});

test('says under the proposals why no answer of an arm was usable', () => {
  const counts = { asked: 2, parsed: 0, valid: 0, tried: 0, accepted: 0, improved: 0 };
  const row = { arm: 'coached', provider: 'llama', model: null, prompt: null, ...counts };
  expect(page({ funnel: [row] })).not.toContain('usable');
  const unusable = { count: 2, code: 'model.invalid', message: 'the file is cut off' };
  expect(page({ funnel: [{ ...row, unusable }] })).toContain(
    "\n> No answer of coached's coach (llama) was usable; most often (2×): the file is cut off (model.invalid).",
  );
});
