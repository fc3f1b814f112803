import type { ManifestMetric, ManifestParameter } from '../../../shared/rl/manifest.ts';
import { spellChoice, spellQuantity } from '../spell.ts';
import type { Conditions } from './conditions.ts';
import { connect } from './conditions.ts';
import { blockRule, clause, docRule, optionalClause } from './layout-rule.ts';
import { proseRule } from './prose.ts';
import { insideOf } from './quantities.ts';
import { type GrammarRequest, type KindBody, namesOf } from './request.ts';
import { choice, type GrammarRule, never, optional, repeat, sequence } from './rule.ts';
import type { Terms } from './terms.ts';
import type { SetWord } from './vocabulary.ts';

const missionLength = 120;

/** What marks the body of a regime that holds where no other does: one environment has one. */
export const usualRegime = 'default';

/** Rules for the declarations around the state: parameters, metrics watched, regimes, stages, room. */
export class OutlineKinds {
  readonly #terms: Terms;
  readonly #conditions: Conditions;
  readonly #request: GrammarRequest;

  constructor(terms: Terms, conditions: Conditions, request: GrammarRequest) {
    this.#terms = terms;
    this.#conditions = conditions;
    this.#request = request;
  }

  mission(): KindBody[] {
    const words = proseRule(this.#terms.builder, missionLength);
    return [{ primitive: 'mission', rule: sequence(' "', words, '"') }];
  }

  /** ` = VALUE`, by parameter. */
  settings(): ReadonlyMap<string, KindBody> {
    const open = this.#parameters();
    return new Map(
      open.map((each) => [each.name, { primitive: each.name, rule: sequence(' = ', this.#value(each)) }]),
    );
  }

  /** ` COUNT`, by set. */
  capacities(): ReadonlyMap<string, KindBody> {
    const { capacities, parameters, sets } = this.#request.manifest;
    const found = capacities.flatMap(({ set, capacity }): [string, KindBody][] => {
      const most = parameters.find(({ name }) => name === capacity)?.max;
      const present = sets.find(({ name }) => name === set)?.entities.length ?? 1;
      if (most === undefined || most < present || this.#request.author === 'coach') return [];
      return [[set, { primitive: set, rule: sequence(' ', this.#whole(Math.max(1, present), most)) }]];
    });
    return new Map(found);
  }

  /** Nothing follows the target of a `without`. */
  omissions(): ReadonlyMap<string, KindBody> {
    const inherited = this.#request.inherited ?? [];
    return new Map(inherited.map((target) => [target, { primitive: target, rule: sequence('') }]));
  }

  issues(): KindBody[] {
    const { metrics } = this.#request.manifest;
    const whole = { primitive: 'metric', rule: this.#watch(this.#overMetrics('all', metrics, ''), null) };
    const own = metrics.filter(({ perAgent }) => perAgent);
    const perAgent = this.#terms.words.agentSets.map((set) => {
      const condition = this.#overMetrics('own', own, 'a.');
      return { primitive: set.spelling, rule: this.#watch(condition, set) };
    });
    return [whole, ...perAgent].filter(({ rule }) => rule.kind !== 'never');
  }

  /** Stages that end: one without `until` would have to be the last. */
  stages(): KindBody[] {
    const stable = this.#parameters().filter(({ structural }) => !structural);
    return stable.map((parameter) => {
      const { name } = parameter;
      const rule = sequence(' = ', this.#value(parameter));
      const until = sequence('until ', this.#overMetrics('all', this.#request.manifest.metrics, ''));
      const ending = clause(sequence(until, optional(sequence(' ', this.#persistence()))));
      return { primitive: name, rule: blockRule(this.#terms.builder, sequence(`set ${name}`, rule), ending) };
    });
  }

  /** Regimes of one parameter each, entered by a schedule, and those that a condition recognises. */
  regimes(sort: 'scheduled' | 'recognised'): KindBody[] {
    const head = sequence(optional(' safe'), docRule(this.#terms.builder));
    const usual = { primitive: usualRegime, rule: sequence(' default', head) };
    if (sort === 'recognised') {
      const rule = sequence(head, ' {', clause(sequence('when ', this.#conditions.global())), '\n}');
      return [usual, { primitive: 'when', rule }];
    }
    const live = this.#parameters().filter((parameter) => parameter.live !== null);
    const entered = live.map((parameter) => {
      const most = parameter.live?.mode === 'count' ? this.#members(parameter) : parameter.max;
      const setting = sequence(`set ${parameter.name} = `, this.#value({ ...parameter, max: most }));
      const ramp = sequence('ramp ', this.#whole(2, 50), ' steps');
      return {
        primitive: parameter.name,
        rule: sequence(head, ' {', clause(setting), optionalClause(ramp), '\n}'),
      };
    });
    return [usual, ...entered];
  }

  /** A schedule over the regimes that the text declares. */
  schedule(): KindBody[] {
    const regimes = namesOf('regime', this.#request.targets);
    const entry = this.#scheduleEntry(regimes);
    const rule = sequence(
      ' {',
      optionalClause(sequence('start ', choice(...regimes))),
      repeat(clause(entry), 1, 2),
      '\n}',
    );
    return [{ primitive: 'schedule', rule }];
  }

  #scheduleEntry(regimes: readonly string[]): GrammarRule {
    const last = Math.max(2, this.#request.manifest.episodeLength - 1);
    const step = this.#whole(1, last);
    const half = Math.max(1, Math.floor(last / 2));
    const moment = choice(sequence('at step ', step), sequence('every ', step, ' steps'));
    const leave = sequence(' leave after ', this.#whole(1, half), '..', this.#whole(half, last), ' steps');
    const chance = sequence(' with chance ', this.#terms.quantity({ unit: 'percent', min: 0.01, max: 0.99 }));
    return sequence(moment, optional(chance), ' enter ', choice(...regimes), optional(leave));
  }

  #watch(condition: GrammarRule, set: SetWord | null): GrammarRule {
    const { builder } = this.#terms;
    const when = sequence('when ', condition);
    const endings = sequence(
      optionalClause(sequence('until ', condition)),
      optionalClause(this.#persistence()),
    );
    if (set === null) return blockRule(builder, when, endings);
    return blockRule(builder, `for a in ${set.spelling}`, clause(when), endings);
  }

  #persistence(): GrammarRule {
    return sequence('for ', this.#whole(2, 20), ' evaluations');
  }

  #overMetrics(key: string, metrics: readonly ManifestMetric[], prefix: string): GrammarRule {
    return this.#terms.builder.define(`condition over ${key} metrics`, () => {
      const simple = metrics.map(({ name, unit, min, max }) => {
        const threshold = this.#terms.quantity(insideOf({ unit, min, max }));
        return sequence(`${prefix}${name} `, choice('<', '<=', '>', '>='), ' ', threshold);
      });
      return simple.length === 0 ? never : connect(choice(...simple));
    });
  }

  /** What may be set: a capacity has a declaration of its own, and a count stays within it. */
  #parameters(): ManifestParameter[] {
    const { manifest, author } = this.#request;
    const rooms = new Set(manifest.capacities.map(({ capacity }) => capacity));
    return manifest.parameters
      .filter(({ name }) => !rooms.has(name))
      .filter(({ coach, structural }) => author !== 'coach' || (coach && !structural))
      .map((parameter) => ({ ...parameter, max: Math.min(parameter.max, this.#room(parameter)) }))
      .map((parameter) => this.#besideItsOtherEnd(parameter));
  }

  /**
   * The ends of a range, `agent.min_level` and `agent.max_level`, do not cross: each is set on its side of what the
   * other one is by default. A highest that is 0 by default is worked out and bounds nothing.
   */
  #besideItsOtherEnd(parameter: ManifestParameter): ManifestParameter {
    const usual = (from: string, to: string): number | undefined => {
      const name = parameter.name.replace(`.${from}_`, `.${to}_`);
      if (name === parameter.name) return undefined;
      return this.#request.manifest.parameters.find((each) => each.name === name)?.default;
    };
    const highest = usual('min', 'max') || Infinity;
    const lowest = parameter.default === 0 ? -Infinity : (usual('max', 'min') ?? -Infinity);
    return {
      ...parameter,
      min: Math.max(parameter.min, lowest),
      max: Math.min(parameter.max, highest),
    };
  }

  /** Most members where the scenario keeps room for some; else no bound of this kind. */
  #room({ name }: ManifestParameter): number {
    const { capacities, parameters } = this.#request.manifest;
    const found = capacities.find(({ count }) => count === name);
    if (found === undefined) return Infinity;
    const usual = parameters.find((each) => each.name === found.capacity)?.default ?? 0;
    const room = this.#request.capacities?.[found.set] ?? usual;
    return room === 0 ? Infinity : room;
  }

  /** Most members that can take part without more room: as many as the scenario has, where it keeps none. */
  #members(parameter: ManifestParameter): number {
    return Number.isFinite(this.#room(parameter)) ? parameter.max : parameter.default;
  }

  #value({ kind, unit, min, max, choices }: ManifestParameter): GrammarRule {
    if (kind === 'bool') return choice('true', 'false');
    if (kind === 'choice') return choice(...choices.map(spellChoice));
    return min === max
      ? sequence(spellQuantity(min, unit))
      : this.#terms.quantity({ unit, min, max, isWhole: kind === 'int' });
  }

  #whole(min: number, max: number): GrammarRule {
    return this.#terms.quantity({ unit: 'none', min, max, isWhole: true });
  }
}
