import { ruleNamed } from './render-gbnf.ts';
import type { Grammar, GrammarRule } from './rule.ts';

/** Uniform numbers in [0, 1). */
export type Uniform = () => number;

/** One completion of the grammar, every choice drawn with equal chances. Throws: RangeError where there is none. */
export function walkGrammar(grammar: Grammar, uniform: Uniform): string {
  const below = (count: number): number => Math.min(count - 1, Math.floor(uniform() * count));
  const write = (rule: GrammarRule): string => {
    switch (rule.kind) {
      case 'text':
        return rule.text;
      case 'characters':
        return drawCharacter(rule.ranges, below);
      case 'reference':
        return write(ruleNamed(grammar, rule.name));
      case 'sequence':
        return rule.parts.map(write).join('');
      case 'choice':
        return write(rule.options[below(rule.options.length)] ?? rule);
      case 'repeat': {
        const count = rule.min + below(rule.max - rule.min + 1);
        return Array.from({ length: count }, () => write(rule.rule)).join('');
      }
      case 'never':
        throw new RangeError('nothing can be written under this grammar');
    }
  };
  return write(grammar.root);
}

type CharacterRanges = Extract<GrammarRule, { kind: 'characters' }>['ranges'];

function drawCharacter(ranges: CharacterRanges, below: (count: number) => number): string {
  const sizes = ranges.map(([first, last]) => last.charCodeAt(0) - first.charCodeAt(0) + 1);
  let at = below(sizes.reduce((sum, size) => sum + size, 0));
  for (const [i, [first]] of ranges.entries()) {
    const size = sizes[i] ?? 0;
    if (at < size) return String.fromCharCode(first.charCodeAt(0) + at);
    at -= size;
  }
  throw new RangeError('a class of no characters');
}

/** Length of the longest completion, in characters. */
export function longestCompletion(grammar: Grammar): number {
  const lengths = new Map<string, number>();
  const measure = (rule: GrammarRule): number => {
    switch (rule.kind) {
      case 'text':
        return rule.text.length;
      case 'characters':
        return 1;
      case 'sequence':
        return rule.parts.reduce((sum, part) => sum + measure(part), 0);
      case 'choice':
        return Math.max(...rule.options.map(measure));
      case 'repeat':
        return rule.max * measure(rule.rule);
      case 'reference': {
        const known = lengths.get(rule.name) ?? measure(ruleNamed(grammar, rule.name));
        lengths.set(rule.name, known);
        return known;
      }
      case 'never':
        return 0;
    }
  };
  return measure(grammar.root);
}
