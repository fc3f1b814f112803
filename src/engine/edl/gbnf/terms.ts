import type { ManifestAttribute, ManifestRelation } from '../../../shared/rl/manifest.ts';
import type { GrammarBuilder } from './grammar-builder.ts';
import { insideOf, type QuantityRange, quantityRule } from './quantities.ts';
import { choice, factored, type GrammarRule, never, sequence, text } from './rule.ts';
import {
  type Quality,
  qualityOf,
  type Scope,
  type SetWord,
  type VariableWord,
  type Vocabulary,
} from './vocabulary.ts';

/** Things that are measured alike: how they are written, and within which bounds they lie. */
export interface TermGroup extends QuantityRange {
  readonly rule: GrammarRule;
}

/** The smallest expressions: signals, attributes, distances, relations. */
export class Terms {
  readonly builder: GrammarBuilder;
  readonly words: Vocabulary;

  constructor(builder: GrammarBuilder, words: Vocabulary) {
    this.builder = builder;
    this.words = words;
  }

  quantity(range: QuantityRange): GrammarRule {
    return quantityRule(this.builder, range);
  }

  /** Signals of the scenario; they depend on no variable. */
  signals(): TermGroup[] {
    const { signals } = this.words.index.manifest;
    const terms = signals.map(({ name, unit, min, max }) => ({ rule: text(name), unit, min, max }));
    return this.#group('signal', terms);
  }

  /** Attributes of a variable: one rule for all sets whose members have the same ones. */
  attributes({ name, set, isBare }: VariableWord): TermGroup[] {
    const attributes = this.words.attributesOf(set);
    const key = `${isBare === true ? 'own' : name} ${set.kind} ${this.words.signatureOf(attributes)}`;
    return this.#group(
      key,
      attributes.map((attribute) => measured(isBare === true ? '' : `${name}.`, attribute)),
    );
  }

  /** Terms against thresholds within their bounds. */
  compare(groups: readonly TermGroup[]): GrammarRule {
    const order = this.builder.define('order', () => choice('<', '<=', '>', '>='));
    return choice(
      ...groups.map(({ rule, unit, min, max }) =>
        sequence(rule, ' ', order, ' ', this.quantity(insideOf({ unit, min, max }))),
      ),
    );
  }

  /** Comparisons of the attributes of a variable, shared between sets whose members have the same ones. */
  compareAttributes(variable: VariableWord): GrammarRule {
    const signature = this.words.signatureOf(this.words.attributesOf(variable.set));
    const name = variable.isBare === true ? 'own' : variable.name;
    return this.builder.define(`attributes ${name} ${variable.set.kind} ${signature}`, () =>
      this.compare(this.attributes(variable)),
    );
  }

  /** `SET)`, and `w in SET where …)`: what `nearest(` and `farthest(` look at. */
  candidates(sets: readonly SetWord[]): GrammarRule {
    const name = this.words.innermostName;
    const chosen = factored(
      sets,
      ({ spelling }) => spelling,
      (set) => sequence(' where ', this.compareAttributes({ name, set })),
    );
    const all = choice(...sets.map(({ spelling }) => spelling));
    return sequence(choice(all, sequence(`${name} in `, chosen)), ')');
  }

  /** Distances from a variable to what is around it. */
  distance(variable: VariableWord, scope: Scope): TermGroup {
    return this.#distance(variable.name, choice(...besides(variable, scope), this.#surroundings(variable)));
  }

  /** What is measured of a variable: its attributes, its distances, its relations. */
  of(variable: VariableWord, scope: Scope): TermGroup[] {
    return [...this.attributes(variable), this.distance(variable, scope), ...this.counted(variable, scope)];
  }

  /** Distances from a variable to others in scope. */
  distanceTo({ name }: VariableWord, others: readonly string[]): TermGroup {
    return this.#distance(name, choice(...others));
  }

  /** Attributes of the one member of sets that change. */
  ofMembers(): TermGroup[] {
    const terms = this.words.dynamicSets.flatMap(({ name, kind, entities }) =>
      this.words.attributesOf({ kind, candidates: entities }).map((each) => measured(`${name}.`, each)),
    );
    return this.#group('member', terms);
  }

  /** Attributes of the nearest to the innermost variable, of sets that always have a member. */
  found(scope: Scope): TermGroup[] {
    const inner = scope.variables.at(-1);
    if (inner === undefined) return [];
    const sets = this.words.searchable(inner).filter((set) => this.words.isAlwaysFound(set));
    const bySignature = new Map<string, { sets: string[]; attributes: ManifestAttribute[] }>();
    for (const set of sets) {
      const attributes = this.words.attributesOf(set);
      const key = this.words.signatureOf(attributes);
      const known = bySignature.get(key) ?? { sets: [], attributes };
      known.sets.push(`nearest(${set.spelling}).`);
      bySignature.set(key, known);
    }
    const terms = [...bySignature.values()].flatMap((each) =>
      each.attributes.map(({ name, unit, min, max }) => ({
        rule: sequence(choice(...each.sets), name),
        unit,
        min,
        max,
      })),
    );
    return this.#group(`nearest ${inner.name} ${inner.set.spelling}`, terms);
  }

  /** Every small expression of a scope. */
  all(scope: Scope): TermGroup[] {
    const own = scope.variables.flatMap((variable) => this.of(variable, scope));
    const all = [...this.signals(), ...own, ...this.ofMembers(), ...this.found(scope)];
    return all.filter(({ rule }) => rule.kind !== 'never');
  }

  /** One small expression of a quality; never where the scope has none. */
  withQuality(scope: Scope, quality: Quality): GrammarRule {
    return this.builder.define(`${quality} term ${scope.key}`, () => {
      const fitting = this.all(scope).filter(({ unit }) => qualityOf(unit) === quality);
      return choice(...fitting.map(({ rule }) => rule));
    });
  }

  /** Whether a relation holds; never where the manifest has none. */
  holding(scope: Scope): GrammarRule {
    const options = scope.variables.flatMap((variable) =>
      this.#relationsFrom(variable, 'boolean').map((relation) =>
        sequence(`${variable.name}.${relation.name}(`, this.#partner(relation, variable, scope), ')'),
      ),
    );
    return choice(...options);
  }

  /** Whether a relation holds between two variables. */
  holdingBetween(from: VariableWord, to: VariableWord): GrammarRule {
    const fitting = this.#relationsFrom(from, 'boolean').filter(
      (relation) => relation.to === 'any' || relation.to === to.set.kind,
    );
    return choice(...fitting.map(({ name }) => `${from.name}.${name}(${to.name})`));
  }

  /** Entities to be near to or to act upon, seen from a variable. */
  #surroundings(variable: VariableWord): GrammarRule {
    return this.builder.define(`around ${variable.name} ${variable.set.spelling}`, () => {
      const found = this.candidates(this.words.searchable(variable));
      return choice(sequence(choice('nearest(', 'farthest('), found), this.#placesAnywhere());
    });
  }

  /** Places that are the same for everybody. */
  #placesAnywhere(): GrammarRule {
    return this.builder.define('place', () => {
      const centres = this.words.sets.filter(({ minSize }) => minSize > 1).map(({ spelling }) => spelling);
      return choice(
        sequence('centroid(', choice(...centres), ')'),
        choice(...this.words.dynamicSets.map(({ name }) => name)),
        choice(...this.words.places),
      );
    });
  }

  #distance(name: string, to: GrammarRule): TermGroup {
    return { rule: sequence(`distance(${name}, `, to, ')'), unit: 'm', min: 0, max: this.words.reach };
  }

  /** Relations that are numbers; their bounds are not known, a length reaches as far as the world. */
  counted(variable: VariableWord, scope: Scope): TermGroup[] {
    return this.#relationsFrom(variable, 'number').map((relation) => ({
      rule: sequence(`${variable.name}.${relation.name}(`, this.#partner(relation, variable, scope), ')'),
      unit: relation.unit,
      min: 0,
      max: this.words.reach,
    }));
  }

  #relationsFrom({ set }: VariableWord, kind: ManifestRelation['kind']): ManifestRelation[] {
    const { relations } = this.words.index.manifest;
    return relations.filter((relation) => relation.kind === kind && relation.from === set.kind);
  }

  /** What a relation is asked about: another variable, the nearest of a set, or (yes or no) any member of one. */
  #partner({ kind, to }: ManifestRelation, variable: VariableWord, scope: Scope): GrammarRule {
    const fits = (candidate: { readonly kind: string }): boolean => to === 'any' || candidate.kind === to;
    const others = scope.variables.filter(({ name, set }) => name !== variable.name && fits(set));
    const near = this.words.searchable(variable).filter(fits);
    const name = `partner ${to} ${kind} ${variable.name} ${variable.set.spelling}`;
    const found = this.builder.define(name, () => {
      const sets = choice(...near.map(({ spelling }) => spelling));
      return choice(sequence('nearest(', this.candidates(near)), kind === 'boolean' ? sets : never);
    });
    return choice(...others.map((other) => other.name), found);
  }

  #group(key: string, terms: readonly TermGroup[]): TermGroup[] {
    const groups = new Map<string, { range: QuantityRange; rules: GrammarRule[] }>();
    for (const { rule, unit, min, max } of terms) {
      const range = `${unit} ${min} ${max}`;
      const group = groups.get(range) ?? { range: { unit, min, max }, rules: [] };
      group.rules.push(rule);
      groups.set(range, group);
    }
    return [...groups].map(([range, group]) => ({
      ...group.range,
      rule: this.builder.define(`term ${key} ${range}`, () => choice(...group.rules)),
    }));
  }
}

/** The other variables in scope. */
function besides(variable: VariableWord, scope: Scope): string[] {
  return scope.variables.filter(({ name }) => name !== variable.name).map(({ name }) => name);
}

function measured(prefix: string, { name, unit, min, max }: ManifestAttribute): TermGroup {
  return { rule: text(prefix + name), unit, min, max };
}
