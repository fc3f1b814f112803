import type { Conditions } from './conditions.ts';
import { optionalClause } from './layout-rule.ts';
import { type GrammarRule, sequence } from './rule.ts';
import type { Terms } from './terms.ts';
import { emptyScope, type Scope, type SetWord, type VariableWord } from './vocabulary.ts';

/** Parts that several kinds of block have in common. */
export class Clauses {
  readonly terms: Terms;
  readonly conditions: Conditions;

  constructor(terms: Terms, conditions: Conditions) {
    this.terms = terms;
    this.conditions = conditions;
  }

  /** The scope of one loop over a set. */
  loop(set: SetWord): { readonly scope: Scope; readonly variable: VariableWord } {
    const scope = this.terms.words.bind(emptyScope, set);
    const [variable = { name: 'a', set }] = scope.variables;
    return { scope, variable };
  }

  /** `when …` on a line of its own, or nothing. */
  maybeWhen(scope: Scope): GrammarRule {
    return optionalClause(sequence('when ', this.conditions.over(scope)));
  }

  /** A plain number. */
  amount(min: number, max: number): GrammarRule {
    return this.terms.quantity({ unit: 'none', min, max });
  }
}
