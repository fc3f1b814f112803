import type { Clauses } from './clauses.ts';
import type { Conditions } from './conditions.ts';
import type { Terms } from './terms.ts';

/** What writers of declarations over the state share: clauses, with the terms and conditions these are made of. */
export abstract class StateKinds {
  protected readonly clauses: Clauses;
  protected readonly terms: Terms;
  protected readonly conditions: Conditions;

  constructor(clauses: Clauses) {
    this.clauses = clauses;
    this.terms = clauses.terms;
    this.conditions = clauses.conditions;
  }
}
