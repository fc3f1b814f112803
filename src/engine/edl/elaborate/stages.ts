import type { Diagnostic } from '../../../shared/contract/edl.ts';
import type { EnvironmentDraft, StageDraft } from '../declarations/kind.ts';
import type { DiagnosticCode } from '../diagnostic-codes.ts';
import type { Interval } from '../interval.ts';
import type { StageIr } from '../ir.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { Reporter } from '../reporter.ts';
import type { MetricCondition } from '../types.ts';
import type { ElaboratedEnvironment } from './environment.ts';
import { warnConstant } from './over-metrics.ts';

/** A stage of a curriculum with the environment that its settings make. */
export interface ElaboratedStage {
  readonly ir: StageIr;
  readonly doc: string;
  readonly node: StageDraft['node'];
  readonly until: MetricCondition | null;
  readonly environment: ElaboratedEnvironment;
}

/** The environment under other parameters; what is wrong with it goes to `reporter`. */
export type Vary = (
  parameters: Readonly<Record<string, number>>,
  reporter: Reporter,
) => ElaboratedEnvironment | null;

/** The environments of all stages. One that is in error, or that a learner could not go on with, is reported. */
export function elaborateStages(draft: EnvironmentDraft, vary: Vary): ElaboratedStage[] {
  const found: ElaboratedStage[] = [];
  const warnings: Diagnostic[][] = [];
  for (const stage of draft.stages) {
    const quiet = new Reporter();
    const environment = elaborateStage(draft, stage, (parameters) => vary(parameters, quiet), quiet);
    warnings.push(quiet.diagnostics);
    if (environment !== null) found.push({ ...stage, environment });
  }
  if (found.length === draft.stages.length) takeBackWarnings(draft, warnings);
  for (const { environment, ...stage } of found) warnOfUntil(draft, stage, environment);
  return found;
}

/** Warnings of what can never be, or changes nothing: under the settings of a stage it may. */
const ofParameters: ReadonlySet<string> = new Set<DiagnosticCode>(['EDL502', 'EDL506', 'EDL514', 'EDL516']);

/** Keeps of them those that are so in every stage. */
function takeBackWarnings({ context }: EnvironmentDraft, warnings: readonly Diagnostic[][]): void {
  // A condition that never holds in one stage may always hold in another; figures in other messages may differ.
  const keyOf = ({ code, message, range: { start } }: Diagnostic): string =>
    `${code} ${start.line}:${start.character} ${code === 'EDL502' ? message : ''}`;
  const told = warnings.map((stage) => new Set(stage.map(keyOf)));
  context.reporter.takeBack((diagnostic) => {
    return ofParameters.has(diagnostic.code) && told.some((stage) => !stage.has(keyOf(diagnostic)));
  });
}

function elaborateStage(
  draft: EnvironmentDraft,
  stage: StageDraft,
  vary: (parameters: Readonly<Record<string, number>>) => ElaboratedEnvironment | null,
  quiet: Reporter,
): ElaboratedEnvironment | null {
  const { reporter, index } = draft.context;
  const place = { node: stage.node, property: 'name' };
  const environment = vary(stage.ir.parameters);
  const [problem] = quiet.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  if (problem?.code === 'EDL404') {
    const setting = stage.node.settings.at(-1) ?? stage.node;
    reporter.report('EDL404', { node: setting }, `under stage '${stage.ir.name}': ${problem.message}`);
    return null;
  }
  if (environment === null || problem !== undefined) {
    const line =
      problem === undefined
        ? ''
        : `line ${problem.range.start.line + 1}: ${problem.message} (${problem.code})`;
    reporter.report('EDL509', place, `under the settings of stage '${stage.ir.name}', ${line}`);
    return null;
  }
  const changes = changedShapes(index, environment.index);
  if (changes.length === 0) return environment;
  const message = `stage '${stage.ir.name}' changes ${changes.join(' and ')}: a learner is made for fixed shapes${capacityHint(stage, index)}`;
  reporter.report('EDL405', place, message);
  return null;
}

/** What ends a stage is measured under its settings, and in evaluations without them: it is within the bounds of both. */
function warnOfUntil(
  { context }: EnvironmentDraft,
  { ir, node }: StageDraft,
  under: ElaboratedEnvironment,
): void {
  if (ir.until === null || node.until === undefined) return;
  const bounds = new Map<string, Interval>(under.metrics);
  for (const [name, { min, max }] of context.metrics) {
    const own = bounds.get(name) ?? { min, max };
    bounds.set(name, { min: Math.min(min, own.min), max: Math.max(max, own.max) });
  }
  warnConstant(context, node.until.expression, ir.until, bounds);
}

/** What of a learner's surroundings differs, in words. */
function changedShapes(before: ManifestIndex, after: ManifestIndex): string[] {
  const shapes = [
    ['the number of agents', 'numAgents'],
    ['the observations', 'obsDim'],
    ['the global state', 'stateDim'],
    ['the actions', 'numActions'],
    ['the continuous actions', 'continuousDim'],
  ] as const;
  return shapes
    .filter(([, field]) => before.manifest[field] !== after.manifest[field])
    .map(([words, field]) => `${words} (${before.manifest[field]} to ${after.manifest[field]})`);
}

function capacityHint(stage: StageDraft, index: ManifestIndex): string {
  const counted = [...index.capacities.values()].find(({ count }) => count in stage.ir.parameters);
  return counted === undefined ? '' : `; 'capacity ${counted.set} N' makes room beforehand`;
}
