import type { Diagnostic } from '../../shared/contract/edl.ts';
import type { ScenarioManifest, Unit } from '../../shared/rl/manifest.ts';
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
}

export type SourceRange = Diagnostic['range'];

export type DeclarationKindName = 'mission' | 'set' | 'rule' | 'reward' | 'issue';

/** One declaration as it stands in the text. */
export interface DeclarationInfo {
  readonly kind: DeclarationKindName;
  /** The name after the keyword; for `set` the dotted parameter, for `mission` empty. */
  readonly name: string;
  /** What changes name it by: "reward crowding", "set agent.accel", "mission". */
  readonly target: string;
  readonly doc: string;
  /** The declaration alone, without the comments around it. */
  readonly text: string;
  readonly range: SourceRange;
}

/** A symptom to watch for: a condition over metrics that has to hold for a number of evaluations in a row. */
export interface IssueSpec {
  readonly name: string;
  readonly doc: string;
  /** The condition as written. */
  readonly condition: string;
  readonly forEvaluations: number;
  /** Names that `evaluate` asks for. */
  readonly metrics: readonly string[];
  /** False also where a metric it needs is missing or not finite. */
  evaluate(metrics: (name: string) => number | undefined): boolean;
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
}

/** The changed text with what it compiles to, so that nobody compiles it again; or why it was refused. */
export type ChangeResult =
  | { readonly text: string; readonly environment: CompiledEnvironment }
  | { readonly refused: Diagnostic };

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
