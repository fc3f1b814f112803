import { insideOf } from './quantities.ts';
import { choice, type GrammarRule, never, sequence } from './rule.ts';
import type { TermGroup, Terms } from './terms.ts';
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
      const terms =
        scope.variables.length > 1 ? this.#terms.ofMember(variable, scope) : this.#terms.of(variable, scope);
      const own = this.compare(terms);
      return choice(own, sequence(own, choice(' and ', ' or '), this.#simple(scope)));
    });
  }

  /** Sets whose members can be counted and asked within a scope; pairs are not looked at against third ones. */
  countable(scope: Scope): SetWord[] {
    if (scope.variables.length > 1) return [];
    const relatives = scope.variables.flatMap((variable) => this.#terms.words.relatives(variable));
    return [...this.#terms.words.sets.filter(({ maxSize }) => maxSize > 1), ...relatives];
  }

  /** How many members of any set hold. */
  counts(scope: Scope): GrammarRule {
    return this.#terms.builder.define(`count ${scope.key}`, () =>
      this.#asked('count', scope, this.countable(scope)),
    );
  }

  /** Terms against thresholds within their bounds. */
  compare(groups: readonly TermGroup[]): GrammarRule {
    const order = this.#terms.builder.define('order', () => choice('<', '<=', '>', '>='));
    return choice(
      ...groups.map(({ rule, unit, min, max }) =>
        sequence(rule, ' ', order, ' ', this.#terms.quantity(insideOf({ unit, min, max }))),
      ),
    );
  }

  /** One comparison, relation, or question about the members of a set. */
  #simple(scope: Scope): GrammarRule {
    return this.#terms.builder.define(`simple condition ${scope.key}`, () =>
      choice(
        this.compare(this.#terms.all(scope)),
        this.#nearer(scope),
        this.#terms.holding(scope),
        this.#inside(scope),
        this.#recent(),
        this.#questions(scope),
      ),
    );
  }

  /** `NAME(b in SET where …)` over sets; what is asked of a member is not nested further. */
  #asked(name: string, scope: Scope, sets: readonly SetWord[]): GrammarRule {
    const over = sets.map((set) => {
      const within = this.#terms.words.bind(scope, set);
      const member = within.variables.at(-1);
      if (member === undefined) return never;
      return sequence(`${member.name} in ${set.spelling} where `, this.#ofMember(member, within));
    });
    return sequence(`${name}(`, choice(...over), ')');
  }

  #ofMember(member: VariableWord, scope: Scope): GrammarRule {
    const { builder, words } = this.#terms;
    const key = `${member.set.kind} ${words.signatureOf(words.attributesOf(member.set))}`;
    const others = scope.variables.length > 1 ? 'beside' : '';
    return builder.define(`member ${member.name} ${key} ${others}`, () =>
      this.compare(this.#terms.ofMember(member, scope)),
    );
  }

  #questions(scope: Scope): GrammarRule {
    const sets = this.countable(scope);
    const few = Math.max(1, Math.min(...sets.map(({ maxSize }) => maxSize)));
    const amount = this.#terms.quantity({ unit: 'none', min: 1, max: few, isWhole: true });
    return this.#terms.builder.define(`question ${scope.key}`, () =>
      choice(
        this.#asked('any', scope, sets),
        this.#asked('all', scope, sets),
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
