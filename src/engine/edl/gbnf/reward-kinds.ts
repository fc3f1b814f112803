import type { Clauses } from './clauses.ts';
import { blockRule, clause, optionalClause } from './layout-rule.ts';
import type { KindBody } from './request.ts';
import { choice, type GrammarRule, optional, sequence } from './rule.ts';
import { StateKinds } from './state-kinds.ts';
import type { Values } from './values.ts';
import { emptyScope, type Scope, type SetWord, unitOf, type VariableWord } from './vocabulary.ts';

/** How rewards, constraints and metrics are written: what is given, forbidden and measured. */
export class RewardKinds extends StateKinds {
  readonly #values: Values;

  constructor(clauses: Clauses, values: Values) {
    super(clauses);
    this.#values = values;
  }

  rewards(): KindBody[] {
    return this.terms.words.agentSets.map((set) => ({
      primitive: set.spelling,
      rule: this.#rewardFor(set),
    }));
  }

  constraints(): KindBody[] {
    return this.terms.words.agentSets.map((set) => {
      const { scope, variable } = this.clauses.loop(set);
      const penalty = sequence('penalty ', this.clauses.amount(0.01, 1), optional(` to ${variable.name}`));
      const rule = blockRule(
        this.terms.builder,
        `for ${variable.name} in ${set.spelling}`,
        this.clauses.maybeWhen(scope),
        clause(sequence(choice('never ', 'always '), this.conditions.about(variable, scope))),
        clause(penalty),
        optionalClause(this.#limit()),
      );
      return { primitive: set.spelling, rule };
    });
  }

  metrics(): KindBody[] {
    const perAgent = this.terms.words.agentSets.map((set) => {
      const { scope, variable } = this.clauses.loop(set);
      const values = this.#measured(scope, variable);
      return {
        primitive: set.spelling,
        rule: blockRule(this.terms.builder, `for ${variable.name} in ${set.spelling}`, clause(values)),
      };
    });
    return [
      ...perAgent,
      { primitive: 'mean', rule: blockRule(this.terms.builder, this.#measured(emptyScope, null)) },
    ];
  }

  #rewardFor(set: SetWord): GrammarRule {
    const { scope, variable } = this.clauses.loop(set);
    const weight = this.#weight();
    const scaled = sequence(weight, ' * ', this.#values.share(scope));
    const held = sequence('clamp(', this.#values.share(scope), ', 0, 1)');
    const gift = (value: GrammarRule): GrammarRule =>
      clause(sequence('give ', value, ` to ${variable.name}`));
    const open = choice(
      sequence(gift(choice(weight, scaled)), optionalClause(this.#decay()), optionalClause(this.#limit())),
      sequence(gift(scaled), optionalClause(this.#decay()), clause('potential')),
      sequence(gift(sequence(weight, ' * ', held)), optionalClause(this.#limit()), clause('potential')),
    );
    const together = sequence(
      clause(sequence('give ', weight, ` to ${set.spelling}`)),
      optionalClause(this.#decay()),
      optionalClause(this.#limit()),
    );
    return choice(
      blockRule(
        this.terms.builder,
        `for ${variable.name} in ${set.spelling}`,
        this.clauses.maybeWhen(scope),
        open,
      ),
      blockRule(this.terms.builder, sequence('when ', this.conditions.global()), together),
    );
  }

  #decay(): GrammarRule {
    const thousands = this.terms.quantity({ unit: 'none', min: 10, max: 900, isWhole: true });
    return this.terms.builder.define('decay', () => sequence('decay half every ', thousands, 'k steps'));
  }

  #limit(): GrammarRule {
    const percent = this.terms.quantity({ unit: 'none', min: 1, max: 50, isWhole: true });
    return this.terms.builder.define('limit', () => sequence('limit ', percent, '% of nominal'));
  }

  /** Any reward but none. */
  #weight(): GrammarRule {
    return this.terms.builder.define('weight', () =>
      choice(this.clauses.amount(0.01, 1), this.clauses.amount(-1, -0.01)),
    );
  }

  #measured(scope: Scope, variable: VariableWord | null): GrammarRule {
    const fold = choice('mean', 'sum', 'min', 'max', 'last');
    const values = this.#values
      .measured(scope, variable)
      .map(({ rule, quality }) =>
        sequence(rule, quality === 'plain' ? '' : clause(`unit ${unitOf[quality]}`)),
      );
    return sequence(
      choice(...values),
      optionalClause(sequence('over episode ', fold)),
      optionalClause(sequence('better ', choice('higher', 'lower'))),
    );
  }
}
