import type { EnvironmentDraft } from '../declarations/kind.ts';
import { kindOf } from '../declarations/registry.ts';
import type { Environment } from '../generated/ast.ts';
import type { EnvironmentIr } from '../ir.ts';
import { indexManifest, type ManifestIndex } from '../manifest-index.ts';
import type { Reporter } from '../reporter.ts';
import type { DeclarationKindName, EdlHost, IssueSpec } from '../types.ts';
import type { Context } from './context.ts';
import { elaborateExpression } from './expression.ts';

const programKinds: ReadonlySet<DeclarationKindName> = new Set([
  'rule',
  'reward',
  'event',
  'npc',
  'constraint',
  'metric',
]);

/** A checked environment; complete only where nothing was reported as an error. */
export interface ElaboratedEnvironment {
  readonly ir: EnvironmentIr;
  readonly issues: readonly IssueSpec[];
  readonly index: ManifestIndex;
  /** Parameters the text sets, whether or not they differ from the default. */
  readonly parameters: Readonly<Record<string, number>>;
}

/** Checks an environment against its scenario; null where the scenario itself is not to be had. */
export function elaborateEnvironment(
  environment: Environment,
  host: EdlHost,
  reporter: Reporter,
): ElaboratedEnvironment | null {
  const initial = findScenario(environment, host, reporter, {});
  if (initial === null) return null;
  const values = new Map<string, number>();
  for (const node of environment.declarations) {
    kindOf(node).readParameters?.({ index: initial, reporter, values }, node);
  }
  const parameters = Object.fromEntries([...values].sort(byCode));
  const resolved = values.size === 0 ? initial : findScenario(environment, host, reporter, parameters);
  // Parameters that do not go together leave the default counts: the rest can still be checked against them.
  const index = resolved ?? initial;
  refuseDuplicates(environment, reporter);
  const draft = elaborateDeclarations(environment, contextFor(index, values, reporter));
  return {
    ir: canonicalIr(index, values, draft),
    issues: draft.issues.map((issue) => issue.spec),
    index,
    parameters,
  };
}

function contextFor(index: ManifestIndex, values: ReadonlyMap<string, number>, reporter: Reporter): Context {
  const defaults = index.manifest.parameters.map((parameter) => [parameter.name, parameter.default] as const);
  return {
    index,
    parameters: new Map([...defaults, ...values]),
    reporter,
    reads: 'state',
    variables: [],
    anchor: null,
    depth: 0,
    elaborate: elaborateExpression,
  };
}

function findScenario(
  environment: Environment,
  host: EdlHost,
  reporter: Reporter,
  parameters: Record<string, number>,
): ManifestIndex | null {
  const place = { node: environment, property: 'scenario' };
  try {
    const manifest = host.manifest(environment.scenario, parameters);
    if (manifest !== null) return indexManifest(manifest);
    reporter.reportUnknown('EDL201', place, 'scenario', environment.scenario, host.scenarioNames?.() ?? []);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    reporter.report(Object.keys(parameters).length === 0 ? 'EDL201' : 'EDL404', place, message);
  }
  return null;
}

function elaborateDeclarations(environment: Environment, context: Context): EnvironmentDraft {
  const draft = emptyDraft(context);
  for (const node of environment.declarations) kindOf(node).elaborate?.(draft, node);
  for (const kind of new Set(environment.declarations.map(kindOf))) kind.finish?.(draft);
  return draft;
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
    issues: [],
    regimes: [],
    schedule: null,
    stages: [],
    capacities: new Map(),
  };
}

/** Fire counts, traps, components and metrics are reported by name: what has any of them shares one space of names. */
function refuseDuplicates(environment: Environment, reporter: Reporter): void {
  const seen = new Map<string, string>();
  for (const node of environment.declarations) {
    const { keyword } = kindOf(node);
    if (keyword === 'set' || keyword === 'without') continue;
    const name = kindOf(node).nameOf(node);
    const space = programKinds.has(keyword) ? `program ${name}` : `${keyword} ${name}`;
    const earlier = seen.get(space);
    const what = name === '' ? `'${keyword}'` : `'${name}'`;
    if (earlier === undefined) seen.set(space, keyword);
    else {
      const property = name === '' || keyword === 'capacity' ? {} : { property: 'name' };
      reporter.report(
        'EDL209',
        { node, ...property },
        `${what} is declared twice${earlier === keyword ? '' : ` (as ${earlier} and ${keyword})`}`,
      );
    }
  }
}

function canonicalIr(
  index: ManifestIndex,
  values: ReadonlyMap<string, number>,
  draft: EnvironmentDraft,
): EnvironmentIr {
  const changed = [...values]
    .filter(([name, value]) => index.parameters.get(name)?.default !== value)
    .sort(byCode);
  return {
    format: 2,
    scenario: index.manifest.name,
    scenarioVersion: index.manifest.version,
    parameters: Object.fromEntries(changed),
    rules: draft.rules.map((rule) => rule.ir).sort(byName),
    rewards: draft.rewards.toSorted(byName),
    events: draft.events.toSorted(byName),
    npcs: draft.npcs.toSorted(byName),
    constraints: draft.constraints.toSorted(byName),
    metrics: draft.metrics.map((metric) => metric.ir).sort(byName),
    issues: draft.issues.map((issue) => issue.ir).sort(byName),
    regimes: draft.regimes.map((regime) => regime.ir).sort(byName),
    schedule: draft.schedule,
    stages: draft.stages.map((stage) => stage.ir),
    capacities: Object.fromEntries([...draft.capacities].sort(byCode)),
  };
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
