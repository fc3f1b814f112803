/**
 * A grammar as data: what a completion may consist of. Every rule is finite: repetition is bounded and rules refer
 * only to rules that were complete before, so that the longest completion is known and no sampler runs away.
 */
export type GrammarRule =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'characters'; readonly ranges: readonly CharacterRange[] }
  | { readonly kind: 'sequence'; readonly parts: readonly GrammarRule[] }
  | { readonly kind: 'choice'; readonly options: readonly GrammarRule[] }
  | { readonly kind: 'repeat'; readonly rule: GrammarRule; readonly min: number; readonly max: number }
  | { readonly kind: 'reference'; readonly name: string }
  /** Nothing can be written here: a choice leaves it out, a sequence with it cannot be written either. */
  | { readonly kind: 'never' };

/** First and last character, both included. */
export type CharacterRange = readonly [first: string, last: string];

/** What constructors take: a string is itself. */
export type RulePart = GrammarRule | string;

/** A finished grammar: where a completion starts, and the named rules in order of definition. */
export interface Grammar {
  readonly root: GrammarRule;
  readonly rules: ReadonlyMap<string, GrammarRule>;
}

export const never: GrammarRule = { kind: 'never' };
export const nothing: GrammarRule = { kind: 'text', text: '' };

export const text = (value: string): GrammarRule => ({ kind: 'text', text: value });
export const characters = (...ranges: CharacterRange[]): GrammarRule => ({ kind: 'characters', ranges });
export const digit = characters(['0', '9']);

const asRule = (part: RulePart): GrammarRule => (typeof part === 'string' ? text(part) : part);

/** One part after the other; never where one of them is. Neighbouring texts become one. */
export function sequence(...parts: RulePart[]): GrammarRule {
  const flat: GrammarRule[] = [];
  for (const part of parts.map(asRule)) {
    if (part.kind === 'never') return never;
    for (const piece of part.kind === 'sequence' ? part.parts : [part]) {
      const last = flat.at(-1);
      if (piece.kind === 'text' && last?.kind === 'text')
        flat[flat.length - 1] = text(last.text + piece.text);
      else if (piece.kind !== 'text' || piece.text !== '') flat.push(piece);
    }
  }
  const [only] = flat;
  if (only === undefined) return nothing;
  return flat.length === 1 ? only : { kind: 'sequence', parts: flat };
}

/** Any one of the options; those that can never be written are left out, and equal ones count once. */
export function choice(...options: RulePart[]): GrammarRule {
  const open = new Map<string, GrammarRule>();
  for (const option of options.map(asRule)) {
    if (option.kind !== 'never') open.set(JSON.stringify(option), option);
  }
  const [only] = open.values();
  if (only === undefined) return never;
  return open.size === 1 ? only : { kind: 'choice', options: [...open.values()] };
}

/** `part` min to max times over; at least zero times even where it can never be written. */
export function repeat(part: RulePart, min: number, max: number): GrammarRule {
  const rule = asRule(part);
  if (rule.kind === 'never') return min === 0 ? nothing : never;
  if (max === 0) return nothing;
  return min === 1 && max === 1 ? rule : { kind: 'repeat', rule, min, max };
}

export const optional = (part: RulePart): GrammarRule => repeat(part, 0, 1);

/** `head` of each item, then the rest that it has in common with others: the rest is written once. */
export function factored<T>(
  items: readonly T[],
  head: (item: T) => string,
  rest: (item: T) => GrammarRule,
): GrammarRule {
  const groups = new Map<string, { heads: string[]; rule: GrammarRule }>();
  for (const item of items) {
    const rule = rest(item);
    const key = JSON.stringify(rule);
    const group = groups.get(key) ?? { heads: [], rule };
    group.heads.push(head(item));
    groups.set(key, group);
  }
  return choice(...[...groups.values()].map(({ heads, rule }) => sequence(choice(...heads), rule)));
}
