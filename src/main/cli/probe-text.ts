import type { ProbeFigure, ProbeSummary, ProbeView } from '../../shared/contract/coach-probe.ts';
import { formatTable } from './text-table.ts';

const percent = (value: number): string => `${Math.round(100 * value)} %`;

/** "32 % [20, 45]"; of a difference in points, with its sign. */
function figure({ value, low, high }: ProbeFigure): string {
  return `${percent(value)} [${Math.round(100 * low)}, ${Math.round(100 * high)}]`;
}

function rank({ value, low, high }: ProbeFigure): string {
  return `${value.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}

/** Who was asked, and what was shown. */
export function probedSource({ provider, model, setup, isShuffled }: ProbeSummary): string {
  const onCard =
    setup === undefined || setup.gpu === null ? '' : `, ${setup.gpuLayers} layers on ${setup.gpu}`;
  const who = model === null ? provider : `${provider} (${model}${onCard})`;
  return isShuffled ? `${who}, shuffled snapshots` : who;
}

const headings = [
  'who chose',
  'prompt',
  'defects',
  'top 1',
  'top 3',
  'MRR',
  'top 1 over uniform choice',
  'MRR over shuffled',
] as const;

/** Rows of a table of results, one per source. */
export function probeTable(probes: readonly ProbeSummary[]): {
  readonly headings: readonly string[];
  readonly rows: string[][];
} {
  const rows = probes.map((probe) => [
    probedSource(probe),
    probe.promptHash?.slice(0, 12) ?? '–',
    String(probe.numDefects),
    figure(probe.figures.top1),
    figure(probe.figures.top3),
    rank(probe.figures.reciprocalRank),
    figure(probe.overRandom.top1),
    probe.isShuffled || probe.overShuffled === null ? '–' : rank(probe.overShuffled.reciprocalRank),
  ]);
  return { headings, rows };
}

/** A result for a terminal: figures, by scenario, and what was chosen where. */
export function formatProbe(probe: ProbeView): string {
  const { headings: head, rows } = probeTable([probe]);
  const choices = probe.provider === 'random' ? uniformChoice : formatChoices(probe);
  return [
    choices,
    '',
    formatTable(
      ['scenario', 'defects', 'top 1'],
      probe.scenarios.map(({ scenario, numDefects, top1 }) => [scenario, String(numDefects), percent(top1)]),
    ),
    '',
    formatTable([...head], rows),
    '',
    'Brackets: 95 %, defects drawn anew within each scenario. Kept in the workspace, and shown by `gymwright runs report`.',
  ].join('\n');
}

const uniformChoice =
  'A uniform choice is computed, not drawn: what every order of the options comes to, on average. So there is no first choice to show.';

/** What was chosen where, a row for each defect. */
function formatChoices({ answers }: ProbeView): string {
  const first = answers.map(({ defect, fault, rank: place, first: choice, repairs, options }) => [
    defect,
    fault,
    choice ?? '–',
    place === null ? '–' : String(place),
    `${repairs} of ${options}`,
  ]);
  return formatTable(
    ['defect', 'what is wrong', 'first choice', 'place of the first repair', 'options that repair'],
    first,
  );
}
