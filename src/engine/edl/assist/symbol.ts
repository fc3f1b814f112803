import type { EntityKind } from '../manifest-index.ts';
import type { DeclarationKindName } from '../types.ts';
import type { ScopedVariable } from './scope.ts';

/** What a name in a text stands for. */
export type Referent =
  | { readonly kind: NamedKind; readonly name: string }
  | { readonly kind: 'attribute'; readonly name: string; readonly of: EntityKind }
  | { readonly kind: 'variable'; readonly name: string; readonly variable: ScopedVariable }
  | { readonly kind: 'declaration'; readonly name: string; readonly keyword: DeclarationKindName };

export type NamedKind =
  | 'environment'
  | 'scenario'
  | 'base'
  | 'parameter'
  | 'set'
  | 'entity'
  | 'signal'
  | 'metric'
  | 'function'
  | 'relation'
  | 'unit'
  | 'event'
  | 'behaviour'
  | 'keyword';

/** A symbol with where it is written. */
export interface SymbolAt {
  readonly symbol: Referent;
  readonly start: number;
  readonly end: number;
}

/** Two names with equal keys stand for the same thing. */
export function keyOf(symbol: Referent): string {
  switch (symbol.kind) {
    case 'attribute':
      return `attribute ${symbol.of} ${symbol.name}`;
    case 'variable':
      return `variable ${symbol.name} ${symbol.variable.token?.start ?? symbol.variable.frame.rule.name}`;
    case 'declaration':
      return `declaration ${symbol.keyword} ${symbol.name}`;
    default:
      return `${symbol.kind} ${symbol.name}`;
  }
}
