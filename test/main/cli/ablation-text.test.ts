import { describe, expect, test } from 'vitest';
import { formatAblation } from '../../../src/main/cli/ablation-text.ts';
import { readSeeds } from '../../../src/main/cli/commands/runs-ablate.ts';
import type { AblationView } from '../../../src/shared/contract/ablation.ts';

const paired = (low: number, high: number, numPairs = 3) => ({
  difference: (low + high) / 2,
  low,
  high,
  numPairs,
  probabilityOfImprovement: 1,
});

const change = (index: number, contribution: AblationView['changes'][0]['contribution']) => ({
  index,
  label: `change number ${index}`,
  proposalId: null,
  round: index - 1,
  skipped: null,
  contribution,
  alone: null,
});

const view: AblationView = {
  studyId: 's',
  runId: 's.coached.1',
  arm: 'coached',
  seed: 1,
  objective: { metric: 'episode_return', group: 'agent', better: 'higher' },
  folder: 'ablations/s.coached.1',
  changes: [
    change(1, paired(1, 3)),
    change(2, paired(-3, -1)),
    change(3, paired(-1, 1)),
    change(4, paired(1, 3, 2)),
  ],
  together: paired(2, 4),
  numArms: 6,
  finishedSeeds: [4, 5, 6],
  unfinished: null,
  missingSeeds: [],
  experimentPath: null,
  files: [],
  plan: null,
};

const verdicts = (text: string) =>
  text.split('\n').flatMap((line) => /(helped|harmed|undecided|not apart)$/.exec(line)?.[1] ?? []);

describe('formatAblation', () => {
  test('calls a change a help only where its whole bracket is on the better side, of three pairs or more', () => {
    expect(verdicts(formatAblation(view))).toEqual(['helped', 'harmed', 'undecided', 'undecided']);
    const lower = { ...view, objective: { ...view.objective, better: 'lower' as const } };
    expect(verdicts(formatAblation(lower))).toEqual(['harmed', 'helped', 'undecided', 'undecided']);
  });

  test('tells what all did together, which seeds that rests on, and what is not apart', () => {
    const skipped = {
      ...change(2, null),
      skipped: 'change 3 (modify reward x) builds on it: there is no reward x',
    };
    const text = formatAblation({ ...view, changes: [change(1, paired(1, 3)), skipped] });
    expect(text).toContain('All together minus none: +3.000 [+2.000, +4.000]');
    expect(text).toContain('Change 2 cannot be left out alone: change 3 (modify reward x) builds on it');
    expect(text).toContain('Seeds with a result in every arm: 4, 5, 6.');
    expect(verdicts(text)).toEqual(['helped', 'not apart']);
    expect(formatAblation({ ...view, finishedSeeds: [] })).toContain(
      'No seed has a result in every arm yet.',
    );
  });
});

describe('readSeeds', () => {
  test('reads lists and spans, each seed once', () => {
    expect(readSeeds('6,7, 9')).toEqual([6, 7, 9]);
    expect(readSeeds('6-8,7')).toEqual([6, 7, 8]);
  });

  test('refuses what is no seed', () => {
    for (const text of ['', 'x', '8-6', '1.5', '-3', '0-5000'])
      expect(() => readSeeds(text)).toThrow('It must be seeds such as 6,7,8 or 6-10.');
  });
});
