import type { ManifestMetric, Unit } from '../../../shared/rl/manifest.ts';
import { describeDimension, isPlain, measureOf, spellingFor, unitFromText } from '../dimension.ts';
import { elaborateLoops, type LoopScope } from '../elaborate/block.ts';
import type { Context } from '../elaborate/context.ts';
import { expectMeasure } from '../elaborate/units.ts';
import type { NumberValue } from '../elaborate/value.ts';
import { headline, oneLine } from '../explain/words.ts';
import type { Metric, MetricOption } from '../generated/ast.ts';
import { boundsOf } from '../interval.ts';
import type { ExpressionIr, MetricFold, MetricIr } from '../ir.ts';
import { heldIndex, type ManifestIndex } from '../manifest-index.ts';
import { candidatesOfLoops } from '../population.ts';
import { hintFor, suggestNames } from '../suggest.ts';
import { unitSpelling } from '../types.ts';
import type { DeclarationKind } from './kind.ts';

const folds = ['mean', 'sum', 'min', 'max', 'last'] as const satisfies readonly MetricFold[];
const directions = ['higher', 'lower', 'neither'] as const satisfies readonly ManifestMetric['better'][];

const foldWords: Readonly<Record<MetricFold, string>> = {
  mean: 'mean over the steps of an episode',
  sum: 'sum over an episode',
  min: 'smallest value in an episode',
  max: 'largest value in an episode',
  last: 'value at the end of an episode',
};

/** `metric NAME { for … EXPRESSION unit … over episode … better … }`: a figure measured in every step. */
export const metricKind: DeclarationKind<Metric> = {
  keyword: 'metric',
  nameOf: (node) => node.name,
  docOf: (node) => node.doc ?? '',
  explain({ ir }, node) {
    const metric = ir.metrics.find((candidate) => candidate.name === node.name);
    if (metric === undefined) return [];
    const whose = node.loops.map((loop) => `${oneLine(loop)}, each by itself: `).join('');
    const better = metric.better === 'neither' ? '' : `; ${metric.better} is better`;
    return [
      headline('metric', node.name, node.doc),
      `  ${whose}${oneLine(node.value)}`,
      `  ${foldWords[metric.fold]}${metric.unit === 'none' ? '' : `, in ${unitSpelling[metric.unit]}`}${better}`,
    ];
  },
  dependsOn: ['episodeLength'],
  elaborate(draft, node) {
    const { context } = draft;
    const scope = elaborateLoops(context, node.loops);
    if (scope === null) return;
    const value = context.elaborate(scope.context, node.value);
    scope.finish();
    const options = readOptions(context, node);
    if (value === null || options === null || !isPerAgent(context, node, scope)) return;
    if (value.type === 'entity' || value.type === 'point') {
      const what = value.type === 'entity' ? 'an entity' : 'a point';
      const message = `a metric is a number or a condition, not ${what}`;
      context.reporter.report('EDL301', { node: node.value }, message);
      return;
    }
    const measured =
      value.type === 'number'
        ? inUnit(context, node, value, options.unit)
        : asCount(context, node, value.ir, options);
    if (measured === null) return;
    const { unit, value: ir } = measured;
    const { fold, better } = options;
    const metric = { name: node.name, loops: scope.loops, value: ir, unit, fold, better };
    draft.metrics.push({ ir: metric, doc: node.doc ?? '' });
    draft.measured.push(describeMetric(context.index, metric, node.doc ?? ''));
  },
};

/** At most one loop, over agents that are always the same: a metric has one value per agent. */
function isPerAgent(context: Context, node: Metric, scope: LoopScope): boolean {
  const second = node.loops[1];
  if (second !== undefined) {
    const message =
      'a metric has one value per agent: one loop, and sum over … or count(…) for what it goes over';
    context.reporter.report('EDL503', { node: second }, message);
    return false;
  }
  const [loop] = node.loops;
  const agent = scope.context.variables.at(-1);
  if (loop === undefined || agent === undefined) return true;
  if (agent.value.kind === 'agent' && agent.value.isFixed) return true;
  const words = agent.value.kind === 'agent' ? 'is an agent that changes' : 'are landmarks';
  context.reporter.report(
    'EDL308',
    { node: loop, property: 'set' },
    `a metric is about agents; these ${words}`,
  );
  return false;
}

interface Options {
  readonly unit: Unit | null;
  readonly fold: MetricFold;
  readonly better: ManifestMetric['better'];
}

function readOptions(context: Context, node: Metric): Options | null {
  let unit: Unit | null = null;
  let fold: MetricFold | null = 'mean';
  let better: ManifestMetric['better'] | null = 'neither';
  const errors = context.reporter.errorCount;
  const seen = new Set<string>();
  for (const option of node.options) {
    if (seen.has(option.$type))
      context.reporter.report('EDL503', { node: option }, `'${clauseOf(option)}' is given twice`);
    seen.add(option.$type);
    if (option.$type === 'MetricUnit') unit = unitFromText(option.unit) ?? null;
    if (option.$type === 'Fold') fold = oneOf(context, option, 'fold', option.fold, folds);
    if (option.$type === 'Better') better = oneOf(context, option, 'direction', option.direction, directions);
    if (option.$type === 'MetricUnit' && unit === null) {
      const units = ['m', 's', 'steps', 'm/s', 'm/s^2', '%', 'deg'];
      const suggestions = suggestNames(option.unit, units);
      const message = `'${option.unit}' is not a unit${hintFor(suggestions, units)}`;
      context.reporter.report('EDL207', { node: option, property: 'unit' }, message, suggestions);
    }
  }
  if (context.reporter.errorCount > errors || fold === null || better === null) return null;
  return { unit, fold, better };
}

function clauseOf(option: MetricOption): string {
  const words = { MetricUnit: 'unit', Fold: 'over episode', Better: 'better' } as const;
  return words[option.$type];
}

function oneOf<T extends string>(
  context: Context,
  node: MetricOption,
  property: string,
  word: string,
  known: readonly T[],
): T | null {
  const found = known.find((candidate) => candidate === word);
  if (found !== undefined) return found;
  context.reporter.reportUnknown('EDL230', { node, property }, `word after '${clauseOf(node)}'`, word, known);
  return null;
}

/** The value in its unit; where none is written, in the only plain one that fits. */
function inUnit(
  context: Context,
  node: Metric,
  value: NumberValue,
  unit: Unit | null,
): { unit: Unit; value: ExpressionIr } | null {
  const { stepSeconds } = context.index.manifest;
  if (unit === null) {
    if (isPlain(value.measure.dimension)) return { unit: 'none', value: value.ir };
    const spelling = spellingFor(value.measure, stepSeconds);
    const offer = spelling === undefined ? 'divide it by a unit' : `write 'unit ${spelling}'`;
    const message = `the metric is ${describeDimension(value.measure.dimension)}: ${offer}`;
    const text = node.value.$cstNode?.text ?? '';
    const suggestions = spelling === undefined ? [] : [`${text} unit ${spelling}`];
    context.reporter.report('EDL303', { node: node.value }, message, suggestions);
    return null;
  }
  const options = { what: `the metric in ${unitSpelling[unit] || 'no unit'}`, adopt: true };
  const number = expectMeasure(context, { value, node: node.value }, measureOf(unit, stepSeconds), options);
  return number === null ? null : { unit, value: number.ir };
}

/** A condition counts as 1 or 0: its mean is a share of steps, its sum a number of them. */
function asCount(
  context: Context,
  node: Metric,
  value: ExpressionIr,
  { unit, fold }: Options,
): { unit: Unit; value: ExpressionIr } | null {
  if (unit === null || unit === 'percent' || (unit === 'steps' && fold === 'sum'))
    return { unit: unit ?? 'none', value };
  const place = node.options.find((option) => option.$type === 'MetricUnit') ?? node;
  const message =
    "a condition is a share of the steps ('unit %') or, with 'over episode sum', a number of them ('unit steps')";
  context.reporter.report('EDL302', { node: place }, message);
  return null;
}

/** As the conditions of issues and stages see it. */
function describeMetric(index: ManifestIndex, metric: MetricIr, doc: string): ManifestMetric {
  const variables = candidatesOfLoops(index, metric.loops);
  const { min, max } = boundsOf(heldIndex(index), metric.value, { variables });
  const { episodeLength } = index.manifest;
  const isSum = metric.fold === 'sum';
  return {
    name: metric.name,
    unit: metric.unit,
    perAgent: metric.loops.length > 0,
    better: metric.better,
    min: isSum ? Math.min(min, min * episodeLength) : min,
    max: isSum ? Math.max(max, max * episodeLength) : max,
    doc,
  };
}
