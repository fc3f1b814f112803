import type { ManifestMetric } from '../../../shared/rl/manifest.ts';
import type { Context } from '../elaborate/context.ts';
import type { TargetValue } from '../elaborate/reference.ts';
import type { Declaration, Effect, Npc, Regime, Schedule, Stage } from '../generated/ast.ts';
import type {
  ConstraintIr,
  EffectIr,
  EnvironmentIr,
  EventIr,
  IssueIr,
  MetricIr,
  NpcIr,
  RegimeIr,
  RewardIr,
  RuleIr,
  ScheduleIr,
  StageIr,
} from '../ir.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import type { Reporter } from '../reporter.ts';
import type { DeclarationKindName, IssueSpec, MetricCondition } from '../types.ts';

/** What the parameters of an environment come to, before counts are resolved. */
export interface ParameterDraft {
  readonly index: ManifestIndex;
  readonly reporter: Reporter;
  /** Values written in the text, by parameter. */
  readonly values: Map<string, number>;
}

/** The environment as it grows, declaration by declaration. */
export interface EnvironmentDraft {
  readonly context: Context;
  readonly rules: RuleDraft[];
  readonly rewards: RewardIr[];
  readonly events: EventIr[];
  readonly npcs: { readonly ir: NpcIr; readonly node: Npc }[];
  readonly constraints: ConstraintIr[];
  readonly metrics: { readonly ir: MetricIr; readonly doc: string }[];
  /** What metrics and constraints measure, as conditions of issues and stages see it. */
  readonly measured: ManifestMetric[];
  readonly issues: { readonly ir: IssueIr; readonly spec: IssueSpec }[];
  readonly regimes: RegimeDraft[];
  schedule: { readonly ir: ScheduleIr; readonly node: Schedule } | null;
  /** Regimes that a schedule names, entries in error included. */
  readonly scheduled: Set<string>;
  readonly stages: StageDraft[];
}

export interface RuleDraft {
  readonly ir: RuleIr;
  readonly effects: readonly EffectDraft[];
  readonly setters: readonly Setter[];
}

export interface StageDraft {
  readonly ir: StageIr;
  readonly doc: string;
  readonly node: Stage;
  readonly until: MetricCondition | null;
}

export interface RegimeDraft {
  ir: RegimeIr;
  readonly definition: string;
  readonly node: Regime;
}

/** An effect, with all entities that it may be on. */
export interface EffectDraft {
  readonly ir: EffectIr;
  readonly target: TargetValue;
  readonly node: Effect;
}

/** An effect `=`, with all entities it may set. */
export interface Setter {
  readonly attribute: string;
  readonly isLasting: boolean;
  readonly target: TargetValue;
  readonly node: Effect;
  /** The loops unroll to several effects on the same entity. */
  readonly isRepeated: boolean;
}

/** Figures of a scenario that parameters change without changing what there is. */
export type ScenarioFigure = 'nominalReturn' | 'episodeLength';

/** What an explanation may draw on. */
export interface Explained {
  readonly ir: EnvironmentIr;
  readonly index: ManifestIndex;
}

/** What every kind of declaration has. */
interface KindBase<N extends Declaration> {
  readonly keyword: DeclarationKindName;
  /** Name after the keyword; empty where the kind has none. */
  nameOf(node: N): string;
  docOf(node: N): string;
  /** Kinds that settle parameters do it here, before counts are known. */
  readParameters?(draft: ParameterDraft, node: N): void;
  /** The declaration in plain words, for a reader of the compiled environment. */
  explain(explained: Explained, node: N): string[];
  /** Whether it reads metrics: it is checked after the declarations that measure them, wherever it stands. */
  readonly readsMetrics?: true;
  /** Looks at the environment as a whole after every declaration was read. */
  finish?(draft: EnvironmentDraft): void;
}

/** A kind that is checked by itself, too. */
interface ElaboratedKind<N extends Declaration> extends KindBase<N> {
  /** Checks the declaration and adds its canonical form to the draft. */
  elaborate(draft: EnvironmentDraft, node: N): void;
  /**
   * Figures, where `elaborate` reads of the draft only its context, and adds to its lists only: what it came to then holds
   * for as long as the declaration, the structure of the scenario, the signals and parameters it mentions and these figures
   * stay as they are. `'draft'`: it reads what other declarations came to, and is checked anew each time.
   */
  readonly dependsOn: readonly ScenarioFigure[] | 'draft';
}

/** A kind that says all it has to say in `readParameters` and `finish`. */
interface PlainKind<N extends Declaration> extends KindBase<N> {
  readonly elaborate?: never;
  readonly dependsOn?: never;
}

/**
 * One kind of declaration. Adding a kind is a grammar file, an alternative of `Declaration` there, a file that
 * implements this, and a line in `registry.ts`.
 */
export type DeclarationKind<N extends Declaration> = ElaboratedKind<N> | PlainKind<N>;
