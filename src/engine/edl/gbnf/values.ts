import type { Conditions } from './conditions.ts';
import { choice, factored, type GrammarRule, never, sequence } from './rule.ts';
import type { TermGroup, Terms } from './terms.ts';
import {
  type Quality,
  qualityOf,
  type Scope,
  type SetWord,
  unitOf,
  type VariableWord,
} from './vocabulary.ts';

const qualities = Object.keys(unitOf) as Quality[];

/** Numbers computed from the state, at most one operation deep. */
export class Values {
  readonly #terms: Terms;
  readonly #conditions: Conditions;

  constructor(terms: Terms, conditions: Conditions) {
    this.#terms = terms;
    this.#conditions = conditions;
  }

  /** A plain number that depends on the state: a share, a count, or a quantity against a fixed one. */
  share(scope: Scope): GrammarRule {
    return this.#terms.builder.define(`share ${scope.key}`, () => {
      const plain = this.#terms.withQuality(scope, 'plain');
      const ratio = this.#ratio(scope);
      return choice(
        plain,
        ratio,
        sequence(choice('min', 'max'), '(', plain, ', ', choice(plain, ratio), ')'),
        this.#conditions.counts(scope),
        this.#over(scope, 'plain'),
      );
    });
  }

  /** Numbers worth measuring, each with its unit: of a variable, or without one of sets and of the scenario. */
  measured(
    scope: Scope,
    variable: VariableWord | null,
  ): { readonly rule: GrammarRule; readonly quality: Quality }[] {
    return qualities.map((quality) => {
      if (variable === null) return { rule: this.#ofSets(scope, quality), quality };
      const terms = ofQuality(this.#terms.of(variable, scope), quality);
      return { rule: choice(terms, ...joined(terms)), quality };
    });
  }

  #ofSets(scope: Scope, quality: Quality): GrammarRule {
    const counts = quality === 'plain' ? this.#conditions.counts(scope) : never;
    return choice(this.#over(scope, quality), ofQuality(this.#terms.signals(), quality), counts);
  }

  /** `mean over b in SET of …`, of what is measured of the members. */
  #over(scope: Scope, quality: Quality): GrammarRule {
    return this.#terms.builder.define(`${quality} over ${scope.key}`, () => {
      const sets = this.#conditions.countable(scope);
      const filled = this.#members(
        scope,
        quality,
        sets.filter(({ minSize }) => minSize > 0),
      );
      return choice(
        sequence(choice('mean', 'min', 'max'), ' over ', filled),
        sequence('sum over ', this.#members(scope, quality, sets)),
      );
    });
  }

  #members(scope: Scope, quality: Quality, sets: readonly SetWord[]): GrammarRule {
    const others = scope.variables.map(({ name }) => name);
    return factored(
      sets.flatMap((set) => this.#terms.words.bind(scope, set).variables.slice(-1)),
      ({ name, set }) => `${name} in ${set.spelling}`,
      (member) => {
        const distance = others.length === 0 ? [] : [this.#terms.distanceTo(member, others)];
        return sequence(' of ', ofQuality([...this.#terms.attributes(member), ...distance], quality));
      },
    );
  }

  /** A quantity counted in a fixed one of its kind: `distance(a, goal) / 0.5 m`. */
  #ratio(scope: Scope): GrammarRule {
    const counted: readonly Quality[] = ['length', 'speed', 'time', 'acceleration'];
    return choice(
      ...counted.map((quality) => {
        const unit = unitOf[quality];
        const whole = this.#terms.quantity({ unit, min: 1, max: 10, isWhole: true });
        const parts = unit === 'steps' ? never : this.#terms.quantity({ unit, min: 0.1, max: 0.9 });
        return sequence(this.#terms.withQuality(scope, quality), ' / ', choice(whole, parts));
      }),
    );
  }
}

function joined(term: GrammarRule): GrammarRule[] {
  return [
    sequence(term, choice(' + ', ' - '), term),
    sequence(choice('min', 'max'), '(', term, ', ', term, ')'),
    sequence('abs(', term, ')'),
  ];
}

function ofQuality(groups: readonly TermGroup[], quality: Quality): GrammarRule {
  return choice(...groups.filter(({ unit }) => qualityOf(unit) === quality).map(({ rule }) => rule));
}
