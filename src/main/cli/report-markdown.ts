import type { ReportFigure, ReportPaired, Reports, ReportView } from '../../shared/contract/report.ts';
import { describeRowsUnusable } from '../../shared/contract/unusable-answers.ts';
import { intervalLabel } from '../../shared/std/statistics.ts';
import { probeTable } from './probe-text.ts';
import { formatFigure } from './text-table.ts';

/** Evolution reports as one Markdown page. */
export function formatReports({ reports, across }: Reports): string {
  return [...reports.map(formatReport), ...(across === null ? [] : [formatAcross(across)])].join('\n\n');
}

function formatReport(report: ReportView): string {
  const { studyId, name, experimentPath, objective, budget, baseline, warnings } = report;
  const { metric, group, better } = objective;
  return [
    `# ${name}: what changing the environment did`,
    '',
    `Study \`${studyId}\` of \`${experimentPath}\`. Objective: ${metric} of ${group}, ${better} is better, scored in its own`,
    `environment. Every run spent ${count(budget.steps)} charged steps (training plus trials) in ${budget.rounds} rounds. Arms are compared with`,
    `**${baseline}**, paired by seed. Brackets hold the range of five seeds or fewer, else an interval at 95 %.`,
    ...warnings.map((warning) => `\n> ${warning}`),
    ...section('Scores at the end', formatFinal(report)),
    ...section('Steps to a threshold', formatThreshold(report)),
    ...section('Held-out environments', formatHeldOut(report)),
    ...section('What was spent', formatSpent(report)),
    ...section('Growth of the environments', formatComplexity(report)),
    ...section('Proposals', formatFunnel(report)),
    ...section('Planted defects', formatProbes(report)),
    ...section('Expected and measured', formatImpact(report)),
    ...section('Wishes', formatWishes(report)),
  ].join('\n');
}

const section = (title: string, lines: readonly string[]): string[] => ['', `## ${title}`, '', ...lines];

function formatFinal({ final, baseline, random }: ReportView): string[] {
  const headings = ['arm', 'seeds', 'IQM', `against ${baseline}`, 'P(better)'];
  if (random !== null) headings.push(`against ${random}`, 'P(better)');
  return table(
    headings,
    final.map(({ arm, figure, vsBaseline, vsRandom }) => [
      arm,
      String(figure?.numSeeds ?? 0),
      figureText(figure),
      pairedText(vsBaseline),
      formatFigure(vsBaseline?.probabilityOfImprovement, 2),
      ...(random === null ? [] : [pairedText(vsRandom), formatFigure(vsRandom?.probabilityOfImprovement, 2)]),
    ]),
  );
}

function formatThreshold({ threshold, baseline }: ReportView): string[] {
  if (threshold === null) return ['The first arm has no result yet, and no threshold was given.'];
  const { value, source, arms } = threshold;
  const sources = {
    given: 'as asked for',
    baseline: `what ${baseline} ends with`,
    halfway: `half of the way from untrained policies to the best arm's end, since ${baseline} ends no better than untrained`,
  };
  const what = sources[source];
  return [
    `Charged steps to the first evaluation at ${formatFigure(value)} (${what}). A run that never gets there counts as its whole budget.`,
    '',
    ...table(
      ['arm', 'got there', 'steps, IQM', `against ${baseline}`],
      arms.map(({ arm, reached, numRuns, figure, vsBaseline }) => [
        arm,
        `${reached} of ${numRuns}`,
        figureText(figure, 0),
        pairedText(vsBaseline, 0),
      ]),
    ),
  ];
}

function formatHeldOut({ heldOut, baseline }: ReportView): string[] {
  const { environments, overall } = heldOut;
  if (environments.length === 0)
    return ['The experiment names none (`heldOut`): how the policies do elsewhere was not measured.'];
  const rows = environments.flatMap(({ name, arms }) =>
    arms.map(({ arm, figure, vsBaseline }) => [
      name,
      arm,
      figureText(figure),
      pairedText(vsBaseline),
      formatFigure(vsBaseline?.probabilityOfImprovement, 2),
    ]),
  );
  return [
    "Scored by the objective's metric in environments that no arm trains in and no coach is told of, at the end.",
    '',
    ...table(['environment', 'arm', 'IQM', `against ${baseline}`, 'P(better)'], rows),
    ...overall.map(
      ({ arm, probabilityOfImprovement: p, low, high, numPairs }) =>
        `\nOver all of them ${arm} is better than ${baseline} with probability ${formatFigure(p, 2)}${bracket(low, high, numPairs, 2)}.`,
    ),
  ];
}

function formatSpent({ arms }: ReportView): string[] {
  return table(
    ['arm', 'coach', 'finished runs', 'charged steps', 'of them trials', 'evaluation steps, not charged'],
    arms.map(({ name, provider, model, numRuns, numFinished, chargedSteps, trialSteps, evaluationSteps }) => [
      name,
      model === null ? provider : `${provider} (${model})`,
      `${numFinished} of ${numRuns}`,
      chargedSteps === null ? '–' : spanText(chargedSteps),
      trialSteps === null ? '–' : count(trialSteps),
      evaluationSteps === null ? '–' : count(evaluationSteps),
    ]),
  );
}

const spanText = ({ least, most }: { least: number; most: number }) =>
  least === most ? count(least) : `${count(least)} to ${count(most)}`;

function formatComplexity({ complexity }: ReportView): string[] {
  const rows = complexity.flatMap(({ arm, rounds }) =>
    rounds.map(({ round, total, declarations, behaviours, stateEntropy }) => [
      arm,
      String(round + 1),
      formatFigure(total, 1),
      Object.entries(declarations)
        .map(([kind, number]) => `${kind} ${formatFigure(number, 1)}`)
        .join(', '),
      formatFigure(behaviours, 1),
      formatFigure(stateEntropy, 2),
    ]),
  );
  return [
    'Means over runs. State entropy: bits per state feature of recorded states, in 16 bins each, features taken one by one; 4 is the most.',
    '',
    ...table(['arm', 'round', 'declarations', 'by kind', 'npc behaviours', 'state entropy'], rows),
  ];
}

function formatFunnel({ funnel }: ReportView): string[] {
  if (funnel.length === 0) return ['Nobody was asked.'];
  return [
    '*Improved*: the first round with the change ended better than the one before it, and the change was not undone later. Training has its part in that.',
    '',
    ...table(
      ['arm', 'provider', 'model', 'prompt', 'asked', 'parsed', 'valid', 'tried', 'accepted', 'improved'],
      funnel.map((row) => [
        row.arm,
        row.provider,
        row.model ?? '–',
        row.prompt?.slice(0, 12) ?? '–',
        ...[row.asked, row.parsed, row.valid, row.tried, row.accepted, row.improved].map(String),
      ]),
    ),
    ...describeRowsUnusable(funnel).map((line) => `\n> ${cell(line)}`),
  ];
}

function formatProbes({ probes }: ReportView): string[] {
  if (probes.length === 0)
    return ['Nobody was asked: `gymwright coach probe` measures who finds what repairs planted defects.'];
  const { headings, rows } = probeTable(probes);
  return [
    'How often the first choice, and one of the first three, repairs a planted defect; mean of one over the place of the first repair. Brackets: 95 %, defects drawn anew within each scenario. A model that reads its snapshot falls with shuffled ones.',
    '',
    ...table(headings, rows),
  ];
}

function formatImpact({ impact }: ReportView): string[] {
  if (impact.length === 0) return ['No change with an expected impact was measured.'];
  const shareText = ({ hits, of, low, high }: ReportView['impact'][0]['size']) =>
    of === 0 ? '–' : `${hits} of ${of} [${formatFigure(low, 2)}, ${formatFigure(high, 2)}]`;
  return [
    'On the objective by trials (candidate against control); on other metrics by the evaluations before and after, which training moves, too.',
    'Sizes: medium from 5 %, large from 20 % of the range the metric had in the study. Brackets: 95 % of a share.',
    '',
    ...table(
      ['arm', 'provider', 'model', 'measured by', 'direction right', 'size right, of those'],
      impact.map(({ arm, provider, model, basis, direction, size }) => [
        arm,
        provider,
        model ?? '–',
        basis,
        shareText(direction),
        shareText(size),
      ]),
    ),
  ];
}

function formatWishes({ wishes }: ReportView): string[] {
  if (wishes.length === 0) return ['None: no coach missed anything in the language.'];
  return wishes.map(
    ({ text, count: times, provider, model }) => `- ${cell(text)} (${times}×, ${model ?? provider})`,
  );
}

function formatAcross({ studies, arms }: NonNullable<Reports['across']>): string {
  const rows = arms.map(({ arm, numStudies, numPairs, probabilityOfImprovement, interval }) => [
    arm,
    String(numStudies),
    String(numPairs),
    formatFigure(probabilityOfImprovement, 2),
    interval === null ? '–' : `[${formatFigure(interval.low, 2)}, ${formatFigure(interval.high, 2)}]`,
  ]);
  return [
    `# Over ${studies.length} studies`,
    '',
    'How often an arm is better than the first arm of its own study: mean over studies of the share of seeds. Interval: bootstrap at 95 %, stratified by study.',
    '',
    ...(rows.length === 0
      ? ['No arm is in two of them by name.']
      : table(['arm', 'studies', 'pairs', 'P(better)', '95 %'], rows)),
  ].join('\n');
}

function figureText(figure: ReportFigure | null, digits = 3): string {
  if (figure === null) return '–';
  return formatFigure(figure.iqm, digits) + bracket(figure.low, figure.high, figure.numSeeds, digits);
}

function pairedText(paired: ReportPaired | null, digits = 3): string {
  if (paired === null) return '–';
  const sign = paired.difference > 0 ? '+' : '';
  return (
    sign + formatFigure(paired.difference, digits) + bracket(paired.low, paired.high, paired.numPairs, digits)
  );
}

/** Nothing around a single value. */
function bracket(low: number, high: number, size: number, digits: number): string {
  if (size < 2) return '';
  const label = intervalLabel(size) === 'range' ? '' : '95 % ';
  return ` [${label}${formatFigure(low, digits)}, ${formatFigure(high, digits)}]`;
}

const count = (value: number) => Math.round(value).toLocaleString('en-US');

/** What a model wrote must not end a cell, a row or the page's structure. */
const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').replaceAll('<', '&lt;');

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)];
}
