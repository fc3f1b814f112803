import { choice, factored, type GrammarRule, never, sequence } from './rule.ts';
import type { Terms } from './terms.ts';
import { emptyScope, type Scope, type SetWord, type VariableWord } from './vocabulary.ts';

/** Steps back for which an event is remembered, in round numbers. */
const recentSteps = choice('5', '10', '20', '50', '100');

/** Conditions over the state, one or two comparisons long. */
export class Conditions {
  readonly #terms: Terms;
  /** Events that the text declares: what `recent` may ask about. */
  readonly #events: readonly string[];

  constructor(terms: Terms, events: readonly string[]) {
    this.#terms = terms;
    this.#events = events;
  }

  /** Any condition of a scope. */
  over(scope: Scope): GrammarRule {
    return this.#terms.builder.define(`condition ${scope.key}`, () => connect(this.#simple(scope)));
  }

  /** Conditions that need no variable. */
  global(): GrammarRule {
    return this.over(emptyScope);
  }

  /** A condition that reads a variable, so that the loop over it says something. */
  about(variable: VariableWord, scope: Scope): GrammarRule {
    return this.#terms.builder.define(`condition ${scope.key} about ${variable.name}`, () => {
      const own = this.#ofVariable(variable, scope);
      return choice(own, sequence(own, choice(' and ', ' or '), this.#simple(scope)));
    });
  }

  /** A condition that reads the inner variable of a pair; nothing is asked about third ones. */
  aboutPair(inner: VariableWord, outer: VariableWord, scope: Scope): GrammarRule {
    return this.#terms.builder.define(`condition of pair ${scope.key}`, () => {
      const own = choice(this.#ofMember(inner, scope), this.#terms.holdingBetween(outer, inner));
      return choice(own, sequence(own, ' and ', choice(own, this.#terms.compareAttributes(outer))));
    });
  }

  /** Comparisons of what is measured of a variable; those of its attributes are shared between sets. */
  #ofVariable(variable: VariableWord, scope: Scope): GrammarRule {
    const attributes = this.#terms.compareAttributes(variable);
    const distance = this.#terms.compare([
      this.#terms.distance(variable, scope),
      ...this.#terms.counted(variable, scope),
    ]);
    return choice(
      attributes,
      this.#terms.builder.define(`distances ${scope.key} of ${variable.name}`, () => distance),
    );
  }

  /** Sets whose members can be counted and asked within a scope; pairs are not looked at against third ones. */
  countable(scope: Scope): SetWord[] {
    if (scope.variables.length > 1) return [];
    const relatives = scope.variables.flatMap((variable) => this.#terms.words.relatives(variable));
    return [...this.#terms.words.sets.filter(({ maxSize }) => maxSize > 1), ...relatives];
  }

  /** How many members of any set hold. */
  counts(scope: Scope): GrammarRule {
    return sequence('count', this.#over(scope, this.countable(scope)));
  }

  /** One comparison, relation, or question about the members of a set. */
  #simple(scope: Scope): GrammarRule {
    return this.#terms.builder.define(`simple condition ${scope.key}`, () =>
      choice(
        ...scope.variables.map((variable) => this.#ofVariable(variable, scope)),
        this.#global(),
        this.#terms.compare(this.#terms.found(scope)),
        this.#nearer(scope),
        this.#terms.holding(scope),
        this.#inside(scope),
        this.#recent(),
        this.#questions(scope),
      ),
    );
  }

  /** Signals, and members that change. */
  #global(): GrammarRule {
    return this.#terms.builder.define('signal condition', () =>
      this.#terms.compare([...this.#terms.signals(), ...this.#terms.ofMembers()]),
    );
  }

  /** `(b in SET where …)` over sets; what is asked of a member is not nested further. */
  #over(scope: Scope, sets: readonly SetWord[]): GrammarRule {
    const bound = sets.map((set) => this.#terms.words.bind(scope, set));
    const memberOf = (within: Scope): VariableWord | undefined => within.variables.at(-1);
    return this.#terms.builder.define(`members ${scope.key}`, () =>
      factored(
        bound,
        (within) => `(${memberOf(within)?.name} in ${memberOf(within)?.set.spelling}`,
        (within) => {
          const member = memberOf(within);
          return member === undefined ? never : sequence(' where ', this.#ofMember(member, within), ')');
        },
      ),
    );
  }

  #ofMember(member: VariableWord, scope: Scope): GrammarRule {
    const others = scope.variables.filter(({ name }) => name !== member.name).map(({ name }) => name);
    if (others.length === 0) return this.#terms.compareAttributes(member);
    const distance = this.#terms.compare([this.#terms.distanceTo(member, others)]);
    return choice(this.#terms.compareAttributes(member), distance);
  }

  #questions(scope: Scope): GrammarRule {
    const sets = this.countable(scope);
    const few = Math.max(1, Math.min(...sets.map(({ maxSize }) => maxSize)));
    const amount = this.#terms.quantity({ unit: 'none', min: 1, max: few, isWhole: true });
    return this.#terms.builder.define(`question ${scope.key}`, () =>
      choice(
        sequence(choice('any', 'all'), this.#over(scope, sets)),
        sequence(this.counts(scope), choice(' >= ', ' < '), amount),
      ),
    );
  }

  /** One distance of a variable against another. */
  #nearer(scope: Scope): GrammarRule {
    const [first] = scope.variables;
    if (first === undefined) return never;
    const { rule } = this.#terms.distance(first, scope);
    return sequence(rule, ' ', choice('<', '>'), ' ', rule);
  }

  #inside(scope: Scope): GrammarRule {
    const zones = this.#terms.words.entitiesWith('radius');
    return choice(...scope.variables.map(({ name }) => sequence(`inside(${name}, `, choice(...zones), ')')));
  }

  #recent(): GrammarRule {
    return sequence('recent(', choice(...this.#events), ', ', recentSteps, ' steps)');
  }
}

/** One condition, two joined, or one denied. */
export function connect(simple: GrammarRule): GrammarRule {
  return choice(simple, sequence(simple, choice(' and ', ' or '), simple), sequence('not (', simple, ')'));
}
