import type { ManifestMetric } from '../../../shared/rl/manifest.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { editDistance } from '../../../shared/std/edit-distance.ts';
import type { EnvironmentDraft } from '../declarations/kind.ts';
import { kindOf } from '../declarations/registry.ts';
import type { DiagnosticCode } from '../diagnostic-codes.ts';
import type { ResolvedEnvironment } from '../extends/resolve.ts';
import type { Declaration } from '../generated/ast.ts';
import type { EnvironmentIr } from '../ir.ts';
import { violationsMetric } from '../lower/measures.ts';
import { indexManifest, type ManifestIndex, missingFromManifest } from '../manifest-index.ts';
import type { Reporter } from '../reporter.ts';
import { hintFor, suggestNames } from '../suggest.ts';
import type { EdlHost, IssueSpec, RegimeInfo } from '../types.ts';
import { settleCapacities } from './capacities.ts';
import type { Context } from './context.ts';
import { elaborateExpression } from './expression.ts';
import { refuseNames } from './names.ts';
import { refuseCombinations } from './regime-combinations.ts';
import { elaborateInto, surroundingsOf } from './reuse.ts';
import { type ElaboratedStage, elaborateStages } from './stages.ts';

/** A checked environment; complete only where nothing was reported as an error. */
export interface ElaboratedEnvironment {
  readonly ir: EnvironmentIr;
  readonly issues: readonly IssueSpec[];
  readonly regimes: readonly RegimeInfo[];
  readonly stages: readonly ElaboratedStage[];
  readonly index: ManifestIndex;
  /** What conditions over metrics may read: the scenario's, and what the text declares. */
  readonly metrics: ReadonlyMap<string, ManifestMetric>;
  /** Parameters the text sets, whether or not they differ from the default, and capacities that a run has fixed. */
  readonly parameters: Readonly<Record<string, number>>;
}

export interface ElaborateOptions {
  /** Parameters that count in place of what the text sets. */
  readonly overrides?: Readonly<Record<string, number>>;
  /** Called before each declaration; what it throws ends the work. */
  readonly checkpoint?: (() => void) | undefined;
}

/** Checks an environment against its scenario; null where the scenario itself is not to be had. */
export function elaborateEnvironment(
  environment: ResolvedEnvironment,
  host: EdlHost,
  reporter: Reporter,
  { overrides = {}, checkpoint = () => undefined }: ElaborateOptions = {},
): ElaboratedEnvironment | null {
  const initial = findScenario(environment, host, reporter, {});
  if (initial === null) return null;
  const values = new Map<string, number>();
  for (const node of environment.declarations) {
    kindOf(node).readParameters?.({ index: initial, reporter, values }, node);
  }
  for (const [name, value] of Object.entries(overrides)) values.set(name, value);
  const follow = settleCapacities({
    declarations: environment.declarations,
    index: initial,
    reporter,
    place: { node: environment.ast, property: 'name' },
    values,
    pinned: host.capacities ?? {},
  });
  const parameters = Object.fromEntries([...values, ...Object.entries(follow)].sort(byCode));
  const isUnchanged = Object.keys(parameters).length === 0;
  const resolved = isUnchanged ? initial : findScenario(environment, host, reporter, parameters);
  // Parameters that do not go together leave the default counts: the rest can still be checked against them.
  const index = resolved ?? initial;
  refuseNames(environment.declarations, index, reporter);
  const draft = elaborateDeclarations(
    environment.declarations,
    contextFor(index, values, environment.declarations, reporter),
    checkpoint,
  );
  if (resolved !== null) refuseCombinations(draft, { host, scenario: environment.scenario, parameters });
  const vary = (overrides: Readonly<Record<string, number>>, quiet: Reporter) => {
    const declarations = environment.declarations.filter((node) => node.$type !== 'Stage');
    return elaborateEnvironment({ ...environment, declarations }, host, quiet, { overrides, checkpoint });
  };
  return {
    ir: canonicalIr(index, values, draft),
    issues: draft.issues.map((issue) => issue.spec),
    regimes: describeRegimes(draft),
    stages: reporter.hasErrors ? [] : elaborateStages(draft, vary),
    index,
    metrics: draft.context.metrics,
    parameters,
  };
}

function namesOf(declarations: readonly Declaration[], kind: 'Event' | 'Regime'): ReadonlySet<string> {
  return new Set(declarations.flatMap((node) => (node.$type === kind ? [node.name] : [])));
}

function contextFor(
  index: ManifestIndex,
  values: ReadonlyMap<string, number>,
  declarations: readonly Declaration[],
  reporter: Reporter,
): Context {
  const defaults = index.manifest.parameters.map((parameter) => [parameter.name, parameter.default] as const);
  return {
    index,
    parameters: new Map([...defaults, ...values]),
    reporter,
    reads: 'state',
    metrics: new Map(index.metrics),
    variables: [],
    anchor: null,
    self: null,
    aim: null,
    events: namesOf(declarations, 'Event'),
    regimes: namesOf(declarations, 'Regime'),
    depth: 0,
    elaborate: elaborateExpression,
  };
}

function findScenario(
  { ast, scenario }: ResolvedEnvironment,
  host: EdlHost,
  reporter: Reporter,
  parameters: Record<string, number>,
): ManifestIndex | null {
  const place = { node: ast, property: ast.base === undefined ? 'scenario' : 'base' };
  try {
    const manifest = host.manifest(scenario, parameters);
    if (manifest === null) {
      const known = host.scenarioNames?.() ?? [];
      const suggestions = suggestNames(scenario, known);
      // What is more than one letter off may be one that is not loaded.
      const [nearest] = suggestions;
      const isTypo = nearest !== undefined && editDistance(scenario, nearest) < 2;
      const own = isTypo ? '' : '; the library of one of your own is named in GYMWRIGHT_SCENARIOS';
      const message = `unknown scenario '${scenario}'${hintFor(suggestions, known)}${own}`;
      reporter.report('EDL201', place, message, suggestions);
      return null;
    }
    const missing = missingFromManifest(manifest);
    if (missing.length === 0) return indexManifest(manifest);
    const message = `the manifest of '${scenario}' was made for another version: it has no ${missing.join(', ')}`;
    reporter.report('EDL215', place, message);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    reporter.report(codeOf(thrown, parameters), place, message);
  }
  return null;
}

function codeOf(thrown: unknown, parameters: Readonly<Record<string, number>>): DiagnosticCode {
  if (thrown instanceof AppError && thrown.code === 'sim.addonMismatch') return 'EDL215';
  return Object.keys(parameters).length === 0 ? 'EDL201' : 'EDL404';
}

/** What reads metrics comes after what declares them, wherever it stands. */
function elaborateDeclarations(
  declarations: readonly Declaration[],
  context: Context,
  checkpoint: () => void,
): EnvironmentDraft {
  const draft = emptyDraft(context);
  const elaborateEach = (nodes: readonly Declaration[]): void => {
    const surroundings = surroundingsOf(context);
    for (const node of nodes) {
      checkpoint();
      elaborateInto(draft, node, surroundings);
    }
  };
  elaborateEach(declarations.filter((node) => !readsMetrics(node)));
  for (const metric of draft.measured) context.metrics.set(metric.name, metric);
  if (draft.constraints.length > 0) addViolations(context);
  elaborateEach(declarations.filter(readsMetrics));
  for (const kind of new Set(declarations.map(kindOf))) kind.finish?.(draft);
  return draft;
}

function readsMetrics(node: Declaration): boolean {
  return kindOf(node).readsMetrics === true;
}

function addViolations(context: Context): void {
  const bounds = { min: 0, max: Infinity };
  const doc = 'violations of all constraints';
  context.metrics.set(violationsMetric, {
    ...bounds,
    name: violationsMetric,
    unit: 'none',
    perAgent: true,
    better: 'lower',
    doc,
  });
}

function emptyDraft(context: Context): EnvironmentDraft {
  return {
    context,
    rules: [],
    rewards: [],
    events: [],
    npcs: [],
    constraints: [],
    metrics: [],
    measured: [],
    issues: [],
    regimes: [],
    schedule: null,
    scheduled: new Set(),
    stages: [],
  };
}

function describeRegimes(draft: EnvironmentDraft): RegimeInfo[] {
  const isRecognised = draft.regimes.some(({ ir }) => ir.condition !== null);
  return draft.regimes
    .map(({ ir, definition }) => {
      const { name, policy, isDefault, isSafe } = ir;
      const kind = isRecognised ? ('recognised' as const) : ('scheduled' as const);
      return { name, definition, policy, isDefault, isSafe, kind };
    })
    .sort(byName);
}

function canonicalIr(
  index: ManifestIndex,
  values: ReadonlyMap<string, number>,
  draft: EnvironmentDraft,
): EnvironmentIr {
  const changed = [...values]
    .filter(([name, value]) => index.parameters.get(name)?.default !== value)
    .sort(byCode);
  const capacities = [...index.capacities.values()].flatMap(({ set, capacity }) =>
    changed.filter(([name]) => name === capacity).map(([, value]) => [set, value] as const),
  );
  return {
    format: 2,
    scenario: index.manifest.name,
    scenarioVersion: index.manifest.version,
    parameters: Object.fromEntries(changed),
    rules: draft.rules.map((rule) => rule.ir).sort(byName),
    rewards: draft.rewards.toSorted(byName),
    events: draft.events.toSorted(byName),
    npcs: draft.npcs.map((npc) => npc.ir).sort(byName),
    constraints: draft.constraints.toSorted(byName),
    metrics: draft.metrics.map((metric) => metric.ir).sort(byName),
    issues: draft.issues.map((issue) => issue.ir).sort(byName),
    regimes: draft.regimes.map((regime) => regime.ir).sort(byName),
    schedule: canonicalSchedule(draft),
    stages: draft.stages.map((stage) => stage.ir),
    capacities: Object.fromEntries(capacities.sort(byCode)),
  };
}

/** A schedule that enters nothing and starts where an episode starts anyway says nothing. */
function canonicalSchedule({ schedule, regimes }: EnvironmentDraft): EnvironmentIr['schedule'] {
  if (schedule === null || schedule.ir.entries.length > 0) return schedule?.ir ?? null;
  const { start } = schedule.ir;
  const isUsual = start === null || regimes.some(({ ir }) => ir.isDefault && ir.name === start);
  return isUsual ? null : schedule.ir;
}

function byCode(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return compareCodes(a[0], b[0]);
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return compareCodes(a.name, b.name);
}

function compareCodes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
