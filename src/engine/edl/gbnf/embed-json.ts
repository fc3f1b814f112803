import type { GrammarBuilder } from './grammar-builder.ts';
import { ruleNamed } from './render-gbnf.ts';
import { type Grammar, type GrammarRule, text } from './rule.ts';

/** A rule of one grammar as it is written within a JSON string: line breaks and quotes escaped. */
export function embedInJson(builder: GrammarBuilder, from: Grammar, rule: GrammarRule): GrammarRule {
  const embed = (part: GrammarRule): GrammarRule => {
    switch (part.kind) {
      case 'text':
        return text(JSON.stringify(part.text).slice(1, -1));
      case 'characters':
        return requireLiteral(part);
      case 'sequence':
        return { kind: 'sequence', parts: part.parts.map(embed) };
      case 'choice':
        return { kind: 'choice', options: part.options.map(embed) };
      case 'repeat':
        return { ...part, rule: embed(part.rule) };
      case 'reference':
        return builder.define(part.name, () => embed(ruleNamed(from, part.name)));
      case 'never':
        return part;
    }
  };
  return embed(rule);
}

/** Classes are not escaped, so they must hold nothing that JSON would. */
function requireLiteral(rule: Extract<GrammarRule, { kind: 'characters' }>): GrammarRule {
  const isSpecial = (character: string): boolean =>
    rule.ranges.some(([first, last]) => first <= character && character <= last);
  if (['"', '\\', '\n', '\t', '\r'].some(isSpecial))
    throw new RangeError(
      'a class of characters with quotes, backslashes or control characters cannot stand in JSON',
    );
  return rule;
}
