import type { Diagnostic } from '../../shared/contract/edl.ts';
import type { ManifestMetric, ScenarioManifest, Unit } from '../../shared/rl/manifest.ts';
import type { EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import type { EnvironmentIr } from './ir.ts';

/** What the language asks of its surroundings: the manifests of the scenarios at hand. */
export interface EdlHost {
  /**
   * The manifest with counts resolved for `parameters` (names missing there are defaults); null for a scenario that
   * does not exist. An AppError it throws becomes a diagnostic on the `extends` clause.
   */
  manifest(scenario: string, parameters: Record<string, number>): ScenarioManifest | null;
  /** Names for suggestions when a scenario is misspelt. */
  scenarioNames?(): readonly string[];
  /**
   * The file that an `extends` clause names, read from the file `from` (null: the text stands in none); null where there is
   * none. `path` of the answer names the file wherever it is extended from: circles are found by it, and it is the
   * next `from`. What it throws becomes a diagnostic on the `extends` clause.
   */
  text?(path: string, from: string | null): { readonly path: string; readonly text: string } | null;
  /**
   * Most members that sets may come to have, by set, where a run has fixed them with its first environment: they hold in
   * place of what a text leaves open, and a text may not say otherwise. They are not part of the identity.
   */
  readonly capacities?: Readonly<Record<string, number>>;
}

export type SourceRange = Diagnostic['range'];

/** Keywords that begin a declaration, in the order in which a formatted text groups them. */
export const declarationKindNames = [
  'mission',
  'set',
  'capacity',
  'without',
  'rule',
  'reward',
  'constraint',
  'event',
  'npc',
  'regime',
  'schedule',
  'metric',
  'issue',
  'stage',
] as const;

export type DeclarationKindName = (typeof declarationKindNames)[number];

/** One declaration as it stands in the text. */
export interface DeclarationInfo {
  readonly kind: DeclarationKindName;
  /** The name after the keyword; for `set` the dotted parameter, for `mission` and `schedule` empty. */
  readonly name: string;
  /** What changes name it by: "reward crowding", "set agent.accel", "mission". */
  readonly target: string;
  readonly doc: string;
  /** The declaration alone, without the comments around it. */
  readonly text: string;
  readonly range: SourceRange;
}

/** Values of one evaluation: a metric by name, or that of one agent; undefined where there is none. */
export type MetricReader = (name: string, subject?: string) => number | undefined;

/** A symptom to watch for: a condition over metrics that has to hold for a number of evaluations in a row. */
export interface IssueSpec {
  readonly name: string;
  readonly doc: string;
  /** The condition as written. */
  readonly condition: string;
  /** What ends it, as written; null: the condition failing. */
  readonly until: string | null;
  readonly forEvaluations: number;
  /** Agents that it is watched for, each on its own; null: once for all. */
  readonly subjects: readonly string[] | null;
  /** Names that `evaluate` and `isOver` ask for. */
  readonly metrics: readonly string[];
  /** Whether the condition holds. False also where a metric it needs is missing or not finite. */
  evaluate(metrics: MetricReader, subject?: string): boolean;
  /** Whether an open issue ends: `until` holds or, without it, the condition does not. */
  isOver(metrics: MetricReader, subject?: string): boolean;
}

/** A condition over metrics that is asked for at every evaluation. */
export interface MetricCondition {
  /** As written. */
  readonly text: string;
  readonly metrics: readonly string[];
  /** False also where a metric it needs is missing or not finite. */
  holds(metrics: MetricReader): boolean;
}

/** One part of a curriculum: the environment under the settings of a stage. */
export interface CompiledStage {
  readonly name: string;
  readonly doc: string;
  /** What ends the stage; null: it is the last. */
  readonly until: MetricCondition | null;
  /** Evaluations in a row for which `until` has to hold. */
  readonly forEvaluations: number;
  readonly spec: EnvironmentSpec;
  readonly identity: string;
}

/** A kind of situation the agents can be in, as other parts of the product see it. */
export interface RegimeInfo {
  readonly name: string;
  /** What it is, in words, as written. */
  readonly definition: string;
  /** The policy that suits it; null: not said. */
  readonly policy: string | null;
  readonly isDefault: boolean;
  /** One to fall back to in doubt. */
  readonly isSafe: boolean;
  /** Entered by the schedule (the default too), or recognised by its condition. */
  readonly kind: 'scheduled' | 'recognised';
}

/** A checked and lowered environment: what the simulator runs and what the record names it by. */
export interface CompiledEnvironment {
  readonly name: string;
  readonly scenario: string;
  readonly mission: string;
  readonly spec: EnvironmentSpec;
  /** SHA-256 (hex) of the canonical form with the scenario's name and version: equal identities train alike. */
  readonly identity: string;
  /** Canonical form: no layout, comments, prose; names sorted; units resolved. Plain JSON. */
  readonly ir: EnvironmentIr;
  /** Bytecode instructions executed per step and copy. */
  readonly costPerStep: number;
  readonly declarations: readonly DeclarationInfo[];
  readonly issues: readonly IssueSpec[];
  /** Metrics that the text declares (constraints count too), in the order of the program; they follow the manifest's. */
  readonly metrics: readonly ManifestMetric[];
  readonly regimes: readonly RegimeInfo[];
  /** In the order of the curriculum; empty without stages. */
  readonly stages: readonly CompiledStage[];
  /** Most members each set may come to have: as declared, as fixed by the run, or its count. */
  readonly capacities: Readonly<Record<string, number>>;
  /** The manifest it was checked against, counts resolved. */
  readonly manifest: ScenarioManifest;
}

export interface CompileResult {
  readonly diagnostics: Diagnostic[];
  /** Null while a diagnostic is an error. */
  readonly environment: CompiledEnvironment | null;
}

/** One declaration to add, replace or remove. */
export interface EdlChange {
  readonly op: 'add' | 'modify' | 'remove';
  /** "reward crowding", "set agent.accel", "rule x", "issue y", "mission". */
  readonly target: string;
  /** The whole declaration; empty for remove. */
  readonly edl: string;
}

export interface ChangeOptions {
  /** A coach may not touch what the manifest reserves to a person (topology, physics constants). Default: person. */
  readonly author?: 'person' | 'coach';
  /** The file that the text stands in: files that it extends are looked up from there. */
  readonly path?: string;
}

/** One replacement in a text, by offsets. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The changed text with what it compiles to, so that nobody compiles it again, and the edits that lead to it (in order,
 * not touching each other); or why it was refused. `change` counts the changes that were asked for, from 0.
 */
export type ChangeResult =
  | {
      readonly text: string;
      readonly environment: CompiledEnvironment;
      readonly edits: readonly TextEdit[];
    }
  | { readonly refused: Diagnostic; readonly change: number };

export type TextResult = { readonly text: string } | { readonly diagnostics: Diagnostic[] };

/** Spelling of a manifest unit in EDL text; empty for plain numbers. */
export type UnitSpelling = '' | 'm' | 's' | 'steps' | 'm/s' | 'm/s^2' | '%' | 'deg';

export const unitSpelling: Readonly<Record<Unit, UnitSpelling>> = {
  none: '',
  m: 'm',
  s: 's',
  steps: 'steps',
  'm/s': 'm/s',
  'm/s^2': 'm/s^2',
  percent: '%',
  deg: 'deg',
};
