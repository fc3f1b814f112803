import { grammarGraph, type Place, type Role, type RuleGraph } from './grammar-graph.ts';
import type { Token } from './lexer.ts';

/** A rule while its parts are read; with its parents, where in the language a token stands. */
export class Frame {
  readonly rule: RuleGraph;
  /** The property of the parent's rule that this one fills. */
  readonly feature: string | null;
  readonly parent: Frame | null;
  /** Where the parent goes on afterwards. */
  readonly returnTo: Place | null;
  /** Rules around it. */
  readonly depth: number;
  /** The frame of the declaration it is in, or is: that of `Rule`, `Reward`, …; null outside of one. */
  readonly declaration: Frame | null;
  /** Types of tokens that nothing around it has a place for, as far as that was asked. */
  #misfits: Set<string> | null = null;

  constructor(
    rule: RuleGraph,
    inside: {
      readonly feature: string | null;
      readonly parent: Frame;
      readonly returnTo: Place;
    } | null = null,
  ) {
    this.rule = rule;
    this.feature = inside?.feature ?? null;
    this.parent = inside?.parent ?? null;
    this.returnTo = inside?.returnTo ?? null;
    this.depth = inside === null ? 0 : inside.parent.depth + 1;
    this.declaration = this.parent?.rule.name === 'Declaration' ? this : (this.parent?.declaration ?? null);
  }

  isMisfit(type: string): boolean {
    return this.#misfits?.has(type) ?? false;
  }

  addMisfit(type: string): void {
    this.#misfits ??= new Set();
    this.#misfits.add(type);
  }
}

/** A token with what it is. */
export interface Step {
  readonly token: Token;
  /** Null where no reading of the text has a place for the token. */
  readonly role: Role | null;
  readonly frame: Frame;
  readonly previous: Step | null;
}

/** One way to read the tokens so far. */
interface Reading {
  readonly place: Place;
  readonly frame: Frame;
  readonly last: Step | null;
}

/** What may come next, and inside which rules. */
export interface Expectation {
  readonly type: string;
  readonly role: Role;
  readonly frame: Frame;
  /** The last token before it, as this way of reading has it. */
  readonly last: Step | null;
}

/** More ways to read a text at once than any text of the language has; beyond, the rest is dropped. */
const maxReadings = 64;
/** Rules within each other, more than in any text that is deep enough to be refused: a bracket is some ten of them. */
const maxDepth = 600;

/**
 * Reads tokens along the grammar, every way they can be read, and goes on where they cannot: a token that fits nowhere
 * closes what is open around it, or is passed over; so are brackets deeper than any text may have. So there is a reading of
 * any text, complete or not.
 * Cost: some microseconds a token; one that fits nowhere is looked for in all that is open, once for each type.
 */
export class GrammarWalk {
  readonly #readings: readonly Reading[];

  private constructor(readings: readonly Reading[]) {
    this.#readings = readings;
  }

  static start(rule: string): GrammarWalk {
    const graph = grammarGraph().rules.get(rule);
    if (graph === undefined) throw new TypeError(`the grammar has no rule ${rule}`);
    return new GrammarWalk([{ place: graph.start, frame: new Frame(graph), last: null }]);
  }

  /** The walk after more tokens; this one stays as it is. */
  after(tokens: readonly Token[]): GrammarWalk {
    let readings = this.#readings;
    for (const token of tokens) readings = advance(readings, token);
    return new GrammarWalk(readings);
  }

  /** The tokens with their roles, by the first way of reading them, from the first that `after` was given. */
  steps(): Step[] {
    return stepsUpTo(this.#readings[0]?.last ?? null);
  }

  /** What may come next, in the order of the grammar. */
  expectations(): Expectation[] {
    const found: Expectation[] = [];
    for (const { place, frame, last } of this.#readings) collect(place, frame, last, found);
    return found;
  }
}

function advance(readings: readonly Reading[], token: Token): readonly Reading[] {
  const next: Reading[] = [];
  for (const { place, frame, last } of readings) consume({ place, frame }, token, last, next);
  if (next.length > 0) return next.length > maxReadings ? next.slice(0, maxReadings) : next;
  for (const { place, frame, last } of readings) recover(place, frame, token, last, next);
  if (next.length > 0) return next.slice(0, maxReadings);
  return readings.map((reading) => passOver(reading, token));
}

function passOver({ place, frame, last }: Reading, token: Token): Reading {
  return { place, frame, last: { token, role: null, frame, previous: last } };
}

/** Adds every reading in which the token comes next. */
function consume(at: { place: Place; frame: Frame }, token: Token, last: Step | null, next: Reading[]): void {
  const { place, frame } = at;
  const { tokens, rules, isEnd } = place.closure;
  for (const edge of tokens) {
    if (edge.type !== token.type) continue;
    next.push({ place: edge.to, frame, last: { token, role: edge.role, frame, previous: last } });
  }
  for (const { rule, feature, to } of rules) {
    if (rule.first.has(token.type) && frame.depth < maxDepth)
      consume(
        { place: rule.start, frame: new Frame(rule, { feature, parent: frame, returnTo: to }) },
        token,
        last,
        next,
      );
  }
  if (isEnd && frame.parent !== null && frame.returnTo !== null)
    consume({ place: frame.returnTo, frame: frame.parent }, token, last, next);
}

/** The token fits if one part is left out, here or in what is open around; the innermost such place is taken. */
function recover(place: Place, innermost: Frame, token: Token, last: Step | null, next: Reading[]): void {
  let at: Place | null = place;
  const left: Frame[] = [];
  for (let frame: Frame | null = innermost; frame !== null && at !== null; frame = frame.parent) {
    const { tokens, rules } = at.closure;
    consume({ place: at, frame }, token, last, next);
    for (const { to } of [...tokens, ...rules]) consume({ place: to, frame }, token, last, next);
    if (next.length > 0) return;
    if (frame.isMisfit(token.type)) break;
    left.push(frame);
    at = frame.returnTo;
  }
  for (const frame of left) frame.addMisfit(token.type);
}

/** A step and those before it, in the order of the text. */
export function stepsUpTo(last: Step | null): Step[] {
  const steps: Step[] = [];
  for (let step = last; step !== null; step = step.previous) steps.push(step);
  return steps.reverse();
}

function collect(place: Place, frame: Frame, last: Step | null, found: Expectation[]): void {
  const { tokens, rules, isEnd } = place.closure;
  for (const { type, role } of tokens) found.push({ type, role, frame, last });
  for (const { rule, feature, to } of rules)
    collect(rule.start, new Frame(rule, { feature, parent: frame, returnTo: to }), last, found);
  if (isEnd && frame.parent !== null && frame.returnTo !== null)
    collect(frame.returnTo, frame.parent, last, found);
}
