import type { ManifestAttribute } from '../../../shared/rl/manifest.ts';
import type { Clauses } from './clauses.ts';
import { blockRule, clause } from './layout-rule.ts';
import type { KindBody } from './request.ts';
import { choice, factored, type GrammarRule, never, optional, sequence } from './rule.ts';
import { StateKinds } from './state-kinds.ts';
import type { Values } from './values.ts';
import { emptyScope, type Scope, type SetWord } from './vocabulary.ts';

/** How rules are written: effects on writable attributes. */
export class RuleKind extends StateKinds {
  readonly #values: Values;

  constructor(clauses: Clauses, values: Values) {
    super(clauses);
    this.#values = values;
  }

  rules(): KindBody[] {
    return this.terms.words.sets
      .filter((set) => this.#writable(set).length > 0)
      .map((set) => ({ primitive: set.spelling, rule: this.#rulesOn(set) }));
  }

  /** Rules that change attributes: of each member of a set, of a whole set, and of pairs. */
  #rulesOn(set: SetWord): GrammarRule {
    const { builder, words } = this.terms;
    return builder.define(`rule on ${set.spelling}`, () => {
      const { scope, variable } = this.clauses.loop(set);
      const isGroup = words.index.manifest.groups.some(({ name }) => name === set.spelling);
      return choice(
        blockRule(
          builder,
          `for ${variable.name} in ${set.spelling}`,
          this.clauses.maybeWhen(scope),
          clause(this.#effect(variable.name, set, scope)),
        ),
        isGroup ? this.#pairRule(set) : never,
        blockRule(
          builder,
          sequence('when ', this.conditions.global()),
          clause(this.#effect(set.spelling, set, emptyScope)),
        ),
      );
    });
  }

  /** Over pairs an attribute is scaled or shifted: two settings of one attribute would have no order. */
  #pairRule(set: SetWord): GrammarRule {
    const outer = this.clauses.loop(set);
    const others = this.terms.words.relatives(outer.variable);
    return choice(
      ...others.map((other) => {
        const scope = this.terms.words.bind(outer.scope, other);
        const inner = scope.variables.at(-1);
        if (inner === undefined) return never;
        return blockRule(
          this.terms.builder,
          `for ${outer.variable.name} in ${set.spelling}`,
          clause(`for ${inner.name} in ${other.spelling}`),
          clause(sequence('when ', this.conditions.aboutPair(inner, outer.variable, scope))),
          clause(sequence(`then ${outer.variable.name}.`, this.#changed(set, false), optional(' lasting'))),
        );
      }),
    );
  }

  #effect(target: string, set: SetWord, scope: Scope): GrammarRule {
    const scaled = sequence(
      choice(...this.#writable(set).map(({ name }) => name)),
      ' *= clamp(',
      this.#values.share(scope),
      ', 0.5, 2)',
    );
    return sequence(`then ${target}.`, choice(this.#changed(set, true), scaled), optional(' lasting'));
  }

  /** `ATTRIBUTE *= 1.3`, `+=` and, where nothing else can set it too, `=`. Shared by sets with the same attributes. */
  #changed(set: SetWord, maySet: boolean): GrammarRule {
    const { builder, words } = this.terms;
    const signature = words.signatureOf(words.attributesOf(set));
    return builder.define(`${maySet ? 'change' : 'shift'} ${set.kind} ${signature}`, () =>
      factored(
        this.#writable(set),
        ({ name }) => name,
        ({ unit, min, max }) => {
          const span = (max - min) / 2;
          const shift = choice(
            this.terms.quantity({ unit, min: span / 100, max: span }),
            this.terms.quantity({ unit, min: -span, max: -span / 100 }),
          );
          const exact = sequence(' = ', this.terms.quantity({ unit, min, max }));
          return choice(sequence(' *= ', this.#factor()), sequence(' += ', shift), maySet ? exact : never);
        },
      ),
    );
  }

  #writable(set: SetWord): ManifestAttribute[] {
    return this.terms.words.attributesOf(set).filter(({ writable }) => writable);
  }

  /** Any factor but 1, which would change nothing. */
  #factor(): GrammarRule {
    return this.terms.builder.define('factor', () =>
      choice(this.clauses.amount(0.1, 0.95), this.clauses.amount(1.05, 3)),
    );
  }
}
