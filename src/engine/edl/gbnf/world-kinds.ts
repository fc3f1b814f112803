import type { ManifestBehaviour, ManifestEvent } from '../../../shared/rl/manifest.ts';
import { blockRule, clause } from './layout-rule.ts';
import { insideOf } from './quantities.ts';
import type { KindBody } from './request.ts';
import { choice, type GrammarRule, never, optional, sequence } from './rule.ts';
import { StateKinds } from './state-kinds.ts';
import { emptyScope, type Scope, type SetWord, type VariableWord } from './vocabulary.ts';

/** How events and npcs are written: what the scenario offers to happen and to do. */
export class WorldKinds extends StateKinds {
  events(): KindBody[] {
    return this.terms.words.index.manifest.events.map((event) => ({
      primitive: event.name,
      rule: choice(this.#scheduledEvent(event), this.#conditionalEvent(event)),
    }));
  }

  /** Npcs that play the groups given, or any; and those that play just the agents that one of the text plays. */
  npcs(groups: readonly string[] | undefined, played: readonly (readonly string[])[]): KindBody[] {
    const { words } = this.terms;
    if (words.index.manifest.behaviours.length === 0) return [];
    const whole = new Set(words.wholeGroups(groups));
    return words.agentSets
      .filter((set) => whole.has(set) || played.some((agents) => words.isJust(set, agents)))
      .map((set) => ({ primitive: set.spelling, rule: this.#npcFor(set) }));
  }

  #scheduledEvent(event: ManifestEvent): GrammarRule {
    const { episodeLength } = this.terms.words.index.manifest;
    const step = this.terms.quantity({
      unit: 'none',
      min: 1,
      max: Math.max(1, episodeLength - 1),
      isWhole: true,
    });
    const moment = choice(sequence('every ', step, ' steps'), sequence('at step ', step));
    const due = sequence(moment, optional(this.#chance()));
    return choice(
      blockRule(this.terms.builder, due, clause(this.#action(event, emptyScope))),
      ...this.#eventLoops(event).map(({ scope, variable }) =>
        blockRule(
          this.terms.builder,
          due,
          clause(`for ${variable.name} in ${variable.set.spelling}`),
          this.clauses.maybeWhen(scope),
          clause(this.#action(event, scope)),
        ),
      ),
    );
  }

  #conditionalEvent(event: ManifestEvent): GrammarRule {
    return choice(
      blockRule(
        this.terms.builder,
        sequence('when ', this.conditions.global(), optional(this.#chance())),
        clause(this.#action(event, emptyScope)),
      ),
      ...this.#eventLoops(event).map(({ scope, variable }) =>
        blockRule(
          this.terms.builder,
          `for ${variable.name} in ${variable.set.spelling}`,
          clause(sequence('when ', this.conditions.about(variable, scope), optional(this.#chance()))),
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
    return this.terms.words.sets.filter(fits).map((set) => this.clauses.loop(set));
  }

  #chance(): GrammarRule {
    return sequence(' with chance ', this.terms.quantity({ unit: 'percent', min: 0.01, max: 0.99 }));
  }

  #action({ verb, name, target, placed, amount }: ManifestEvent, scope: Scope): GrammarRule {
    const [variable] = scope.variables;
    const isTarget = variable !== undefined && (target === 'any' || target === variable.set.kind);
    const aim = target === 'none' ? '' : sequence(' ', isTarget ? variable.name : this.#anyOf(target));
    const by = amount === null ? '' : optional(sequence(' by ', this.terms.quantity(insideOf(amount))));
    const spot = variable === undefined || isTarget ? this.#anyOf('any') : variable.name;
    const at = placed ? choice(variable === undefined ? ' at random' : never, sequence(' at ', spot)) : '';
    return sequence(`${verb} ${name}`, aim, by, isTarget && placed ? optional(at) : at);
  }

  /** A single entity by name or as the member of a set that changes. */
  #anyOf(kind: 'agent' | 'landmark' | 'any'): GrammarRule {
    const fits = (candidate: { readonly kind: string }): boolean => kind === 'any' || candidate.kind === kind;
    const { words, builder } = this.terms;
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
    const { builder, words } = this.terms;
    const { behaviours } = words.index.manifest;
    return builder.define(`npc of ${set.spelling}`, () => {
      const any = choice(...behaviours.map((behaviour) => this.#behaviour(behaviour, variable)));
      const guarded = clause(sequence(any, ' when ', this.conditions.about(variable, scope)));
      return blockRule(
        this.terms.builder,
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
    const { words } = this.terms;
    const near = words.searchable(self).filter(fits);
    const found = this.terms.builder.define(`aim ${target} of ${self.set.spelling}`, () =>
      choice(
        sequence('nearest(', this.terms.candidates(near)),
        choice(...(target === 'agent' ? [] : words.places)),
        choice(...words.dynamicSets.filter(fits).map((dynamic) => dynamic.name)),
      ),
    );
    return sequence(`${name} `, found);
  }
}
