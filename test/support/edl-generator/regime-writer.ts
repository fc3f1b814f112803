import { spellChoice } from '../../../src/engine/edl/spell.ts';
import type { ManifestParameter } from '../../../src/shared/rl/manifest.ts';
import type { Draw } from './draw.ts';
import { type ExpressionWriter, literal, type Scope } from './expressions.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A value within the bounds, rather near the default than at a bound. */
export function valueIn(draw: Draw, words: Vocabulary, parameter: ManifestParameter): string {
  if (parameter.kind === 'bool') return draw.pick(['true', 'false']);
  if (parameter.kind === 'choice') return spellChoice(draw.pick(parameter.choices));
  const members = words.sets.find(({ name }) => name === parameter.live?.set)?.entities.length;
  const most = parameter.live?.mode === 'count' ? (members ?? 0) : parameter.max;
  const span = Math.min(most, 2 * Math.abs(parameter.default) + 1);
  const drawn = draw.between(parameter.min, Math.max(parameter.min, span));
  const value = parameter.kind === 'int' ? Math.round(drawn) : Number(drawn.toFixed(2));
  const within = Math.min(Math.max(value, parameter.min), parameter.max);
  return parameter.unit === 'percent'
    ? literal(Number((100 * within).toFixed(4)), 'percent')
    : literal(within, parameter.unit);
}

/** Writes regimes of one sort, recognised or scheduled, with the schedule that enters them. */
export class RegimeWriter {
  readonly #draw: Draw;
  readonly #words: Vocabulary;
  readonly #expressions: ExpressionWriter;
  constructor(draw: Draw, words: Vocabulary, expressions: ExpressionWriter) {
    this.#draw = draw;
    this.#words = words;
    this.#expressions = expressions;
  }

  regimes(scope: Scope): string[] {
    const isRecognised = this.#words.live.length === 0 || this.#draw.once(3);
    return isRecognised ? this.#recognised(scope) : this.#scheduled();
  }

  #recognised(scope: Scope): string[] {
    const count = 1 + this.#draw.below(2);
    const regimes = Array.from({ length: count }, (_, i) => {
      return `  regime g${i} "recognised" { when ${this.#expressions.condition(scope)} }`;
    });
    return [`  regime calm${this.#mark()} "nothing else"`, ...regimes];
  }

  #scheduled(): string[] {
    const names = Array.from({ length: 1 + this.#draw.below(3) }, (_, i) => `g${i}`);
    const regimes = names.map((name) => {
      const parameters = new Set([this.#draw.pick(this.#words.live), this.#draw.pick(this.#words.live)]);
      const settings = [...parameters].map(
        (one) => ` set ${one.name} = ${valueIn(this.#draw, this.#words, one)}`,
      );
      const ramp = this.#draw.once(2) ? ` ramp ${1 + this.#draw.below(4)} steps` : '';
      return `  regime ${name} {${settings.join('')}${ramp} }`;
    });
    const entries = Array.from({ length: 1 + this.#draw.below(2) }, () => this.#entry(names));
    const start = this.#draw.once(3) ? `start ${this.#draw.pick(['calm', ...names])}` : '';
    return [`  regime calm${this.#mark()}`, ...regimes, `  schedule {\n    ${start}${entries.join('')}\n  }`];
  }

  #mark(): string {
    return this.#draw.once(4) ? '' : ' default';
  }

  #entry(names: readonly string[]): string {
    const moment = this.#draw.once(2)
      ? `at step ${this.#draw.below(6)}`
      : `every ${1 + this.#draw.below(4)} steps`;
    const chance = this.#draw.once(2) ? ` with chance ${10 * (1 + this.#draw.below(9))}%` : '';
    const isSeveral = names.length > 1 && this.#draw.once(2);
    const order = isSeveral ? this.#draw.pick([' in turn', ' in random order']) : '';
    const targets = isSeveral ? names.join(', ') : this.#draw.pick(names);
    const from = 1 + this.#draw.below(3);
    const leave = this.#draw.once(2) ? ` leave after ${from}..${from + this.#draw.below(3)} steps` : '';
    return `\n    ${moment}${chance} enter ${targets}${order}${leave}`;
  }
}
