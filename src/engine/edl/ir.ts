import type { EntityKind } from './manifest-index.ts';

/**
 * The canonical form of an environment: plain JSON that means the same for every text that means the same.
 * Layout, comments, prose, loop variable names and the order of declarations are gone; units are resolved
 * to the manifest's; `a > b` is `b < a`; constants are folded. Its hash is the environment's identity.
 */
export interface EnvironmentIr {
  readonly format: 1;
  readonly scenario: string;
  readonly scenarioVersion: number;
  /** Parameters that differ from the scenario's defaults. */
  readonly parameters: Readonly<Record<string, number>>;
  readonly rules: readonly RuleIr[];
  readonly rewards: readonly RewardIr[];
  readonly issues: readonly IssueIr[];
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
}

export interface RewardIr {
  readonly name: string;
  readonly loops: readonly SetIr[];
  readonly condition: ExpressionIr;
  readonly gifts: readonly { readonly target: TargetIr; readonly value: ExpressionIr }[];
  /** 0: no decay. */
  readonly halfLifeSteps: number;
  /** Bound of |episode sum| per agent as a share of the scenario's nominal return; null: none. */
  readonly limitShare: number | null;
}

export interface IssueIr {
  readonly name: string;
  readonly condition: ExpressionIr;
  readonly forEvaluations: number;
}

/** What an effect or a gift goes to: one entity, or every member of a set. */
export type TargetIr = EntityIr | { readonly op: 'each'; readonly set: string };

/** Numbers and booleans. Variables are counted from the outermost loop. */
export type ExpressionIr =
  | { readonly op: 'number'; readonly value: number }
  | { readonly op: 'boolean'; readonly value: boolean }
  | { readonly op: 'signal'; readonly name: string }
  | { readonly op: 'metric'; readonly name: string }
  | { readonly op: 'attribute'; readonly kind: EntityKind; readonly name: string; readonly of: EntityIr }
  | { readonly op: 'distance'; readonly from: EntityIr; readonly to: EntityIr }
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
  | { readonly op: 'nearest' | 'farthest'; readonly set: SetIr; readonly to: EntityIr };

export type SetIr =
  | { readonly op: 'set'; readonly name: string }
  | { readonly op: 'ally' | 'other' | 'opponent'; readonly of: EntityIr };
