import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { ScenarioManifest } from '../../../shared/rl/manifest.ts';
import type { DeclarationKind, EnvironmentDraft, ScenarioFigure } from '../declarations/kind.ts';
import { kindOf } from '../declarations/registry.ts';
import { type DiagnosticCode, diagnosticCodes } from '../diagnostic-codes.ts';
import type { Declaration } from '../generated/ast.ts';
import { type Place, Reporter } from '../reporter.ts';
import type { Context } from './context.ts';

/** Surroundings, and outcomes in each, of one declaration that are kept: a curriculum has some tens of stages. */
const maxKept = 40;

/** What one declaration came to. */
interface Outcome {
  readonly added: Pick<
    EnvironmentDraft,
    'rules' | 'rewards' | 'events' | 'constraints' | 'metrics' | 'measured' | 'issues'
  >;
  readonly reports: readonly Report[];
}

type Report = readonly [code: DiagnosticCode, place: Place, message: string, suggestions: readonly string[]];

/** What is around declarations, in the parts by which their outcomes are told apart. */
export interface Surroundings {
  /** What all declarations may read. */
  readonly shared: string;
  /** Values by the names under which a text mentions them. */
  readonly mentionable: ReadonlyMap<string, string>;
}

/** What a declaration came to in surroundings that share what needs no mention. */
interface Known {
  readonly mentioned: readonly string[];
  readonly outcomes: Map<string, Outcome>;
}

const known = new WeakMap<Declaration, Map<string, Known>>();

/** The surroundings of a context; made once for all declarations. */
export function surroundingsOf({ index, parameters, events, regimes, metrics }: Context): Surroundings {
  const measured = [...metrics.values()].filter((metric) => index.metrics.get(metric.name) !== metric);
  const shared = hashOf([structureOf(index.manifest), [...events], [...regimes], measured]);
  const mentionable = new Map<string, string>();
  for (const [name, value] of parameters) mentionable.set(name, String(value));
  for (const signal of index.manifest.signals) mentionable.set(signal.name, JSON.stringify(signal, spell));
  return { shared, mentionable };
}

function hashOf(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(value, spell))));
}

/** JSON has no infinities, and bounds do. */
function spell(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

const structures = new WeakMap<ScenarioManifest, string>();

/** A hash of everything that declarations may read of a manifest without naming it. */
function structureOf(manifest: ScenarioManifest): string {
  let hash = structures.get(manifest);
  if (hash === undefined) {
    const { nominalReturn: _return, episodeLength: _length, signals, ...rest } = manifest;
    const names = signals.map((signal) => signal.name);
    hash = hashOf([rest, names]);
    structures.set(manifest, hash);
  }
  return hash;
}

/** Whether two manifests hold the same things: what differs are figures and bounds of signals. */
export function haveSameStructure(a: ScenarioManifest, b: ScenarioManifest): boolean {
  return a === b || structureOf(a) === structureOf(b);
}

/** Checks a declaration and adds it to the draft; a declaration that stood in the same surroundings before is not checked again. */
export function elaborateInto(draft: EnvironmentDraft, node: Declaration, surroundings: Surroundings): void {
  const kind = kindOf(node);
  const { dependsOn } = kind;
  if (dependsOn === undefined || dependsOn === 'draft') kind.elaborate?.(draft, node);
  else addOutcome(draft, outcomeOf(draft.context, { kind, dependsOn }, node, surroundings));
}

function outcomeOf(
  context: Context,
  {
    kind,
    dependsOn,
  }: { readonly kind: DeclarationKind<Declaration>; readonly dependsOn: readonly ScenarioFigure[] },
  node: Declaration,
  { shared, mentionable }: Surroundings,
): Outcome {
  const everywhere = known.get(node) ?? new Map<string, Known>();
  known.set(node, everywhere);
  const here = keptIn(everywhere, shared, () => ({
    mentioned: mentionedBy(node, mentionable),
    outcomes: new Map<string, Outcome>(),
  }));
  const figures = dependsOn.map((figure) => context.index.manifest[figure]);
  const key = [...figures, ...here.mentioned.map((name) => mentionable.get(name))].join('\n');
  return keptIn(here.outcomes, key, () => elaborateAlone(context, kind, node));
}

function keptIn<T>(map: Map<string, T>, key: string, make: () => T): T {
  const before = map.get(key);
  if (before !== undefined) return before;
  const made = make();
  if (map.size >= maxKept) map.clear();
  map.set(key, made);
  return made;
}

const prose = /"(?:\\.|[^"\\\n\r])*"|\/\*[\s\S]*?\*\/|\/\/[^\n\r]*/g;
const paths = /[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*/g;

/** The names among those given that a declaration uses. */
function mentionedBy(node: Declaration, mentionable: ReadonlyMap<string, string>): string[] {
  const text = node.$cstNode?.text.replaceAll(prose, ' ') ?? '';
  const used = new Set(Array.from(text.matchAll(paths), ([path]) => path.replaceAll(/\s/g, '')));
  return [...mentionable.keys()].filter((name) => used.has(name));
}

function elaborateAlone(context: Context, kind: DeclarationKind<Declaration>, node: Declaration): Outcome {
  const recorder = new Recorder();
  const added = {
    rules: [],
    rewards: [],
    events: [],
    constraints: [],
    metrics: [],
    measured: [],
    issues: [],
  };
  kind.elaborate?.(
    {
      ...added,
      context: { ...context, reporter: recorder },
      npcs: [],
      regimes: [],
      schedule: null,
      scheduled: new Set(),
      stages: [],
    },
    node,
  );
  return { added, reports: recorder.reports };
}

function addOutcome(draft: EnvironmentDraft, { added, reports }: Outcome): void {
  draft.rules.push(...added.rules);
  draft.rewards.push(...added.rewards);
  draft.events.push(...added.events);
  draft.constraints.push(...added.constraints);
  draft.metrics.push(...added.metrics);
  draft.measured.push(...added.measured);
  draft.issues.push(...added.issues);
  for (const report of reports) draft.context.reporter.report(...report);
}

/** Keeps reports as they were made: where their places are is looked up when they are told. */
class Recorder extends Reporter {
  readonly reports: Report[] = [];
  #errors = 0;

  override get hasErrors(): boolean {
    return this.#errors > 0;
  }

  override get errorCount(): number {
    return this.#errors;
  }

  override report(
    code: DiagnosticCode,
    place: Place,
    message: string,
    suggestions: readonly string[] = [],
  ): void {
    if (diagnosticCodes[code].severity === 'error') this.#errors++;
    this.reports.push([code, place, message, suggestions]);
  }
}
