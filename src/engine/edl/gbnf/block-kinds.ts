import type { ManifestAttribute, ManifestBehaviour, ManifestEvent } from '../../../shared/rl/manifest.ts';
import type { Conditions } from './conditions.ts';
import { blockRule, clause, optionalClause } from './layout-rule.ts';
import { insideOf } from './quantities.ts';
import type { KindBody } from './request.ts';
import { choice, factored, type GrammarRule, never, optional, sequence } from './rule.ts';
import type { Terms } from './terms.ts';
import type { Values } from './values.ts';
import { emptyScope, type Scope, type SetWord, unitOf, type VariableWord } from './vocabulary.ts';

/** Rules for the declarations that act on, reward or measure the state. */
export class BlockKinds {
  readonly #terms: Terms;
  readonly #conditions: Conditions;
  readonly #values: Values;

  constructor(terms: Terms, conditions: Conditions, values: Values) {
    this.#terms = terms;
    this.#conditions = conditions;
    this.#values = values;
  }

  rules(): KindBody[] {
    return this.#terms.words.sets
      .filter((set) => this.#writable(set).length > 0)
      .map((set) => ({ primitive: set.spelling, rule: this.#rulesOn(set) }));
  }

  rewards(): KindBody[] {
    return this.#terms.words.agentSets.map((set) => ({
      primitive: set.spelling,
      rule: this.#rewardFor(set),
    }));
  }

  constraints(): KindBody[] {
    return this.#terms.words.agentSets.map((set) => {
      const { scope, variable } = this.#loop(set);
      const penalty = sequence('penalty ', this.#amount(0.01, 1), optional(` to ${variable.name}`));
      const rule = blockRule(
        this.#terms.builder,
        `for ${variable.name} in ${set.spelling}`,
        this.#maybeWhen(scope),
        clause(sequence(choice('never ', 'always '), this.#conditions.about(variable, scope))),
        clause(penalty),
        optionalClause(this.#limit()),
      );
      return { primitive: set.spelling, rule };
    });
  }

  metrics(): KindBody[] {
    const perAgent = this.#terms.words.agentSets.map((set) => {
      const { scope, variable } = this.#loop(set);
      const values = this.#measured(scope, variable);
      return {
        primitive: set.spelling,
        rule: blockRule(this.#terms.builder, `for ${variable.name} in ${set.spelling}`, clause(values)),
      };
    });
    return [
      ...perAgent,
      { primitive: 'mean', rule: blockRule(this.#terms.builder, this.#measured(emptyScope, null)) },
    ];
  }

  events(): KindBody[] {
    return this.#terms.words.index.manifest.events.map((event) => ({
      primitive: event.name,
      rule: choice(this.#scheduledEvent(event), this.#conditionalEvent(event)),
    }));
  }

  /** Npcs that play the groups given, or any. */
  npcs(groups: readonly string[] | undefined): KindBody[] {
    const { behaviours } = this.#terms.words.index.manifest;
    return behaviours.length === 0
      ? []
      : this.#terms.words
          .wholeGroups(groups)
          .map((set) => ({ primitive: set.spelling, rule: this.#npcFor(set) }));
  }

  #loop(set: SetWord): { readonly scope: Scope; readonly variable: VariableWord } {
    const scope = this.#terms.words.bind(emptyScope, set);
    const [variable = { name: 'a', set }] = scope.variables;
    return { scope, variable };
  }

  #maybeWhen(scope: Scope): GrammarRule {
    return optionalClause(sequence('when ', this.#conditions.over(scope)));
  }

  #amount(min: number, max: number): GrammarRule {
    return this.#terms.quantity({ unit: 'none', min, max });
  }

  /** Rules that change attributes: of each member of a set, of a whole set, and of pairs. */
  #rulesOn(set: SetWord): GrammarRule {
    const { builder, words } = this.#terms;
    return builder.define(`rule on ${set.spelling}`, () => {
      const { scope, variable } = this.#loop(set);
      const isGroup = words.index.manifest.groups.some(({ name }) => name === set.spelling);
      return choice(
        blockRule(
          builder,
          `for ${variable.name} in ${set.spelling}`,
          this.#maybeWhen(scope),
          clause(this.#effect(variable.name, set, scope)),
        ),
        isGroup ? this.#pairRule(set) : never,
        blockRule(
          builder,
          sequence('when ', this.#conditions.global()),
          clause(this.#effect(set.spelling, set, emptyScope)),
        ),
      );
    });
  }

  /** Over pairs an attribute is scaled or shifted: two settings of one attribute would have no order. */
  #pairRule(set: SetWord): GrammarRule {
    const outer = this.#loop(set);
    const others = this.#terms.words.relatives(outer.variable);
    return choice(
      ...others.map((other) => {
        const scope = this.#terms.words.bind(outer.scope, other);
        const inner = scope.variables.at(-1);
        if (inner === undefined) return never;
        return blockRule(
          this.#terms.builder,
          `for ${outer.variable.name} in ${set.spelling}`,
          clause(`for ${inner.name} in ${other.spelling}`),
          clause(sequence('when ', this.#conditions.aboutPair(inner, outer.variable, scope))),
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
    const { builder, words } = this.#terms;
    const signature = words.signatureOf(words.attributesOf(set));
    return builder.define(`${maySet ? 'change' : 'shift'} ${set.kind} ${signature}`, () =>
      factored(
        this.#writable(set),
        ({ name }) => name,
        ({ unit, min, max }) => {
          const span = (max - min) / 2;
          const shift = choice(
            this.#terms.quantity({ unit, min: span / 100, max: span }),
            this.#terms.quantity({ unit, min: -span, max: -span / 100 }),
          );
          const exact = sequence(' = ', this.#terms.quantity({ unit, min, max }));
          return choice(sequence(' *= ', this.#factor()), sequence(' += ', shift), maySet ? exact : never);
        },
      ),
    );
  }

  #writable(set: SetWord): ManifestAttribute[] {
    return this.#terms.words.attributesOf(set).filter(({ writable }) => writable);
  }

  /** Any factor but 1, which would change nothing. */
  #factor(): GrammarRule {
    return this.#terms.builder.define('factor', () => choice(this.#amount(0.1, 0.95), this.#amount(1.05, 3)));
  }

  #rewardFor(set: SetWord): GrammarRule {
    const { scope, variable } = this.#loop(set);
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
      blockRule(this.#terms.builder, `for ${variable.name} in ${set.spelling}`, this.#maybeWhen(scope), open),
      blockRule(this.#terms.builder, sequence('when ', this.#conditions.global()), together),
    );
  }

  #decay(): GrammarRule {
    const thousands = this.#terms.quantity({ unit: 'none', min: 10, max: 900, isWhole: true });
    return this.#terms.builder.define('decay', () => sequence('decay half every ', thousands, 'k steps'));
  }

  #limit(): GrammarRule {
    const percent = this.#terms.quantity({ unit: 'none', min: 1, max: 50, isWhole: true });
    return this.#terms.builder.define('limit', () => sequence('limit ', percent, '% of nominal'));
  }

  /** Any reward but none. */
  #weight(): GrammarRule {
    return this.#terms.builder.define('weight', () => choice(this.#amount(0.01, 1), this.#amount(-1, -0.01)));
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

  #scheduledEvent(event: ManifestEvent): GrammarRule {
    const { episodeLength } = this.#terms.words.index.manifest;
    const step = this.#terms.quantity({
      unit: 'none',
      min: 1,
      max: Math.max(1, episodeLength - 1),
      isWhole: true,
    });
    const moment = choice(sequence('every ', step, ' steps'), sequence('at step ', step));
    const due = sequence(moment, optional(this.#chance()));
    return choice(
      blockRule(this.#terms.builder, due, clause(this.#action(event, emptyScope))),
      ...this.#eventLoops(event).map(({ scope, variable }) =>
        blockRule(
          this.#terms.builder,
          due,
          clause(`for ${variable.name} in ${variable.set.spelling}`),
          this.#maybeWhen(scope),
          clause(this.#action(event, scope)),
        ),
      ),
    );
  }

  #conditionalEvent(event: ManifestEvent): GrammarRule {
    return choice(
      blockRule(
        this.#terms.builder,
        sequence('when ', this.#conditions.global(), optional(this.#chance())),
        clause(this.#action(event, emptyScope)),
      ),
      ...this.#eventLoops(event).map(({ scope, variable }) =>
        blockRule(
          this.#terms.builder,
          `for ${variable.name} in ${variable.set.spelling}`,
          clause(sequence('when ', this.#conditions.about(variable, scope), optional(this.#chance()))),
          clause(this.#action(event, scope)),
        ),
      ),
    );
  }

  /** Loops whose variable the event can use, as its target or its place. */
  #eventLoops({
    target,
    placed,
  }: ManifestEvent): { readonly scope: Scope; readonly variable: VariableWord }[] {
    const fits = (set: SetWord): boolean => placed || target === 'any' || target === set.kind;
    return this.#terms.words.sets.filter(fits).map((set) => this.#loop(set));
  }

  #chance(): GrammarRule {
    return sequence(' with chance ', this.#terms.quantity({ unit: 'percent', min: 0.01, max: 0.99 }));
  }

  #action({ verb, name, target, placed, amount }: ManifestEvent, scope: Scope): GrammarRule {
    const [variable] = scope.variables;
    const isTarget = variable !== undefined && (target === 'any' || target === variable.set.kind);
    const aim = target === 'none' ? '' : sequence(' ', isTarget ? variable.name : this.#anyOf(target));
    const by = amount === null ? '' : optional(sequence(' by ', this.#terms.quantity(insideOf(amount))));
    const spot = variable === undefined || isTarget ? this.#anyOf('any') : variable.name;
    const at = placed ? choice(variable === undefined ? ' at random' : never, sequence(' at ', spot)) : '';
    return sequence(`${verb} ${name}`, aim, by, isTarget && placed ? optional(at) : at);
  }

  /** A single entity by name or as the member of a set that changes. */
  #anyOf(kind: 'agent' | 'landmark' | 'any'): GrammarRule {
    const fits = (candidate: { readonly kind: string }): boolean => kind === 'any' || candidate.kind === kind;
    const { words, builder } = this.#terms;
    return builder.define(`one ${kind}`, () =>
      choice(
        ...[...words.index.entities.values()].filter(fits).map(({ name }) => name),
        ...words.dynamicSets.filter(fits).map(({ name }) => name),
      ),
    );
  }

  #npcFor(set: SetWord): GrammarRule {
    const variable: VariableWord = { name: 'self', set, isBare: true };
    const scope: Scope = { key: `self ${set.spelling}`, variables: [variable] };
    const { builder, words } = this.#terms;
    const { behaviours } = words.index.manifest;
    return builder.define(`npc of ${set.spelling}`, () => {
      const any = choice(...behaviours.map((behaviour) => this.#behaviour(behaviour, variable)));
      const guarded = clause(sequence(any, ' when ', this.#conditions.about(variable, scope)));
      return blockRule(
        this.#terms.builder,
        `control ${set.spelling}`,
        guarded,
        optional(guarded),
        clause(sequence('otherwise ', any)),
      );
    });
  }

  #behaviour({ name, target }: ManifestBehaviour, self: VariableWord): GrammarRule {
    if (target === 'none') return sequence(name);
    const fits = (candidate: { readonly kind: string }): boolean =>
      target === 'any' || candidate.kind === target;
    const { words } = this.#terms;
    const near = words.searchable(self).filter(fits);
    const found = this.#terms.builder.define(`aim ${target} of ${self.set.spelling}`, () =>
      choice(
        sequence('nearest(', choice(...near.map(({ spelling }) => spelling)), ')'),
        choice(...(target === 'agent' ? [] : words.places)),
        choice(...words.dynamicSets.filter(fits).map((dynamic) => dynamic.name)),
      ),
    );
    return sequence(`${name} `, found);
  }
}
