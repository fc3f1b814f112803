import type { GrammarBuilder } from './grammar-builder.ts';
import { proseRule } from './prose.ts';
import { type GrammarRule, optional, type RulePart, sequence } from './rule.ts';

/** Characters of a description at most. */
const docLength = 60;
const indent = '\n  ';

/** A clause on a line of its own, as the formatter lays it out. */
export const clause = (part: RulePart): GrammarRule => sequence(indent, part);
export const optionalClause = (part: RulePart): GrammarRule => optional(clause(part));

/** ` "doc"` or nothing. */
export function docRule(builder: GrammarBuilder): GrammarRule {
  return builder.define('doc', () => optional(sequence(' "', proseRule(builder, docLength), '"')));
}

/** What follows the name of a block: ` "doc" {`, clauses (each begins its own line), `}`. */
export function blockRule(builder: GrammarBuilder, first: RulePart, ...rest: GrammarRule[]): GrammarRule {
  return sequence(docRule(builder), ' {', clause(first), ...rest, '\n}');
}
