import type { Measure } from '../dimension.ts';
import type { EntityIr, ExpressionIr, PlaceIr, SetIr } from '../ir.ts';
import type { EntityKind } from '../manifest-index.ts';

/** What an expression denotes once names, types and units are known. */
export type Value = NumberValue | BooleanValue | EntityValue | PointValue;

export interface NumberValue {
  readonly type: 'number';
  readonly ir: ExpressionIr;
  readonly measure: Measure;
  /** A number written without a unit (or made only of such). */
  readonly isBare: boolean;
}

export interface BooleanValue {
  readonly type: 'boolean';
  readonly ir: ExpressionIr;
}

export interface EntityValue {
  readonly type: 'entity';
  readonly ir: EntityIr;
  readonly kind: EntityKind;
  /** World indices it may denote. */
  readonly candidates: readonly number[];
  /** Known when lowering: a loop variable over a fixed set, or a name. */
  readonly isFixed: boolean;
}

/** A position that is nobody's: centroid(SET). */
export interface PointValue {
  readonly type: 'point';
  readonly ir: Extract<PlaceIr, { op: 'centroid' }>;
}

export interface SetValue {
  readonly ir: SetIr;
  readonly kind: EntityKind;
  /** World indices of all possible members. */
  readonly candidates: readonly number[];
  /** Fewest and most members it can have. */
  readonly minSize: number;
  readonly maxSize: number;
  readonly isDynamic: boolean;
}

export interface Variable {
  readonly name: string;
  readonly value: EntityValue;
  isUsed: boolean;
}
