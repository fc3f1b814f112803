import type { ManifestEvent, ManifestMetric, Unit } from '../../shared/rl/manifest.ts';
import type { EntityKind } from './manifest-index.ts';

/**
 * The canonical form of an environment: plain JSON that means the same for every text that means the same.
 * Layout, comments, prose, loop variable names and the order of declarations are gone; units are resolved
 * to the manifest's; `a > b` is `b < a`; constants are folded. Its hash is the environment's identity.
 * Sets range over the members that take part where the scenario says who does (the manifest's `presence`).
 */
export interface EnvironmentIr {
  readonly format: 2;
  readonly scenario: string;
  readonly scenarioVersion: number;
  /** Parameters that differ from the scenario's defaults. */
  readonly parameters: Readonly<Record<string, number>>;
  readonly rules: readonly RuleIr[];
  readonly rewards: readonly RewardIr[];
  readonly events: readonly EventIr[];
  readonly npcs: readonly NpcIr[];
  readonly constraints: readonly ConstraintIr[];
  readonly metrics: readonly MetricIr[];
  readonly issues: readonly IssueIr[];
  readonly regimes: readonly RegimeIr[];
  readonly schedule: ScheduleIr | null;
  /** In the order of the text: the one place where order means something. */
  readonly stages: readonly StageIr[];
  /** Most members a set may come to have, by set, where that is not the scenario's default. */
  readonly capacities: Readonly<Record<string, number>>;
}

export interface RuleIr {
  readonly name: string;
  readonly loops: readonly SetIr[];
  readonly condition: ExpressionIr;
  readonly effects: readonly EffectIr[];
}

export interface EffectIr {
  readonly operator: 'set' | 'scale' | 'shift';
  readonly attribute: string;
  readonly target: TargetIr;
  readonly value: ExpressionIr;
  /** Holds from the next step to the end of the episode, in place of for the step. */
  readonly isLasting: boolean;
}

export interface RewardIr {
  readonly name: string;
  readonly loops: readonly SetIr[];
  readonly condition: ExpressionIr;
  readonly gifts: readonly { readonly target: TargetIr; readonly value: ExpressionIr }[];
  /** 0: no decay. */
  readonly halfLifeSteps: number;
  /**
   * Bound of |episode sum| per agent as a share of the scenario's nominal return; of a potential, of its sum discounted
   * by γ. Null: none.
   */
  readonly limitShare: number | null;
  /** What is given is a potential Φ: the reward is γΦ(s′) − Φ(s). */
  readonly isPotential: boolean;
}

/** When something comes due: at every multiple of `steps` (not at 0), or once at step `steps`. */
export type MomentIr = { readonly op: 'every' | 'at'; readonly steps: number };

export interface EventIr {
  readonly name: string;
  /** `when`: no clock, the condition alone decides at every step. */
  readonly trigger: MomentIr | { readonly op: 'when' };
  /** Probability of an instance that is due and whose condition holds; 1: always. */
  readonly chance: number;
  readonly loops: readonly SetIr[];
  readonly condition: ExpressionIr;
  readonly actions: readonly EventActionIr[];
}

export interface EventActionIr {
  /** Verb and name of an event of the manifest: it may have a supply to spawn and one to remove. */
  readonly verb: ManifestEvent['verb'];
  readonly event: string;
  /** Null where the event takes none. */
  readonly amount: ExpressionIr | null;
  /** What or where it happens to; null: to nothing in particular, at a random place. */
  readonly target: TargetIr | null;
}

export interface NpcIr {
  readonly name: string;
  /** Names of the agents it controls, in index order. */
  readonly agents: readonly string[];
  /** The first whose condition holds; the agent itself is variable 0. */
  readonly behaviours: readonly {
    readonly behaviour: string;
    readonly target: EntityIr | null;
    readonly condition: ExpressionIr;
    /** What is done where no condition decides: it always holds, comes last, and is not counted as a decision. */
    readonly isOtherwise: boolean;
  }[];
}

export interface ConstraintIr {
  readonly name: string;
  readonly loops: readonly SetIr[];
  readonly guard: ExpressionIr;
  /** Holds where the constraint is broken: `never X` is X, `always X` is not X. */
  readonly violated: ExpressionIr;
  /** What a violation costs per step; 0: it is only counted. */
  readonly penalty: ExpressionIr;
  readonly target: TargetIr | null;
  readonly limitShare: number | null;
}

export type MetricFold = 'mean' | 'sum' | 'min' | 'max' | 'last';

export interface MetricIr {
  readonly name: string;
  readonly loops: readonly SetIr[];
  readonly value: ExpressionIr;
  readonly unit: Unit;
  /** How the samples of an episode become one number. */
  readonly fold: MetricFold;
  readonly better: ManifestMetric['better'];
}

export interface IssueIr {
  readonly name: string;
  /** Judged for each of these agents by itself (variable 0); null: for the environment as a whole. */
  readonly subject: SetIr | null;
  readonly condition: ExpressionIr;
  /** Once raised it stays until this holds; null: until the condition no longer does. */
  readonly until: ExpressionIr | null;
  readonly forEvaluations: number;
}

export interface RegimeIr {
  readonly name: string;
  /** The kind of behaviour that suits it; null: not said. */
  readonly policy: string | null;
  readonly isDefault: boolean;
  readonly isSafe: boolean;
  /** Live parameters while it holds, by name. */
  readonly settings: readonly { readonly parameter: string; readonly value: number }[];
  /** Steps in which the settings are reached linearly; 0: at once. */
  readonly rampSteps: number;
  /** What it is recognised by; null: it is entered by the schedule, or is the default. */
  readonly condition: ExpressionIr | null;
}

export interface ScheduleIr {
  /** The regime an episode begins in. */
  readonly start: string | null;
  /** In the order of the text: of entries due at one step the first that fires wins. */
  readonly entries: readonly ScheduleEntryIr[];
}

export interface ScheduleEntryIr {
  readonly moment: MomentIr;
  readonly chance: number;
  readonly regimes: readonly string[];
  /** `turn`: as listed, one per entering; `random`: a fresh permutation for every round. */
  readonly order: 'turn' | 'random';
  /** Back to the default after a uniform whole number of steps; null: when something else is entered. */
  readonly leave: { readonly from: number; readonly to: number } | null;
}

export interface StageIr {
  readonly name: string;
  readonly parameters: Readonly<Record<string, number>>;
  /** Over metrics; null: the stage is the last one. */
  readonly until: ExpressionIr | null;
  readonly forEvaluations: number;
}

/** What an effect or a gift goes to: one entity, or every member of a set. */
export type TargetIr = EntityIr | { readonly op: 'each'; readonly set: string };

/** Numbers and booleans. Variables are counted from the outermost loop. */
export type ExpressionIr =
  | { readonly op: 'number'; readonly value: number }
  | { readonly op: 'boolean'; readonly value: boolean }
  | { readonly op: 'signal'; readonly name: string }
  /** A metric; `of` an agent where it is asked for one. */
  | { readonly op: 'metric'; readonly name: string; readonly of: EntityIr | null }
  | { readonly op: 'attribute'; readonly kind: EntityKind; readonly name: string; readonly of: EntityIr }
  | { readonly op: 'distance'; readonly from: PlaceIr; readonly to: PlaceIr }
  /** A relation of the manifest between two entities. */
  | { readonly op: 'relation'; readonly name: string; readonly from: EntityIr; readonly to: EntityIr }
  /** Whether an event of this environment happened within the last `steps` steps. */
  | { readonly op: 'recent'; readonly event: string; readonly steps: number }
  | { readonly op: 'same'; readonly left: EntityIr; readonly right: EntityIr }
  | { readonly op: BinaryOp; readonly left: ExpressionIr; readonly right: ExpressionIr }
  | { readonly op: UnaryOp; readonly value: ExpressionIr }
  | {
      readonly op: 'aggregate';
      readonly kind: AggregateKind;
      readonly set: SetIr;
      readonly where: ExpressionIr;
      /** What is summed or compared; null for count, any, all. */
      readonly body: ExpressionIr | null;
    };

export type BinaryOp = 'add' | 'sub' | 'mul' | 'div' | 'min' | 'max' | 'lt' | 'le' | 'eq' | 'and' | 'or';
export type UnaryOp = 'neg' | 'abs' | 'sqrt' | 'not';
export type AggregateKind = 'count' | 'any' | 'all' | 'sum' | 'mean' | 'min' | 'max';

export type EntityIr =
  | { readonly op: 'variable'; readonly index: number }
  | { readonly op: 'entity'; readonly name: string }
  /** The one member of a dynamic set. */
  | { readonly op: 'member'; readonly set: string }
  | {
      readonly op: 'nearest' | 'farthest';
      readonly set: SetIr;
      readonly to: EntityIr;
      /** Which members are looked at; left out: all. */
      readonly where?: WhereIr;
    };

/** What a member has to fulfil. In it `variable` stands for the member, and those before it are as outside. */
export interface WhereIr {
  readonly variable: number;
  readonly condition: ExpressionIr;
}

/** A point: an entity's position, or the mean position of the members of a set. */
export type PlaceIr = EntityIr | { readonly op: 'centroid'; readonly set: SetIr };

export type SetIr =
  | { readonly op: 'set'; readonly name: string }
  | { readonly op: 'ally' | 'other' | 'opponent'; readonly of: EntityIr };
