import type { CharacterRange, Grammar, GrammarRule } from './rule.ts';

/**
 * The grammar in llama.cpp's notation (GBNF), rule `root` first, named rules that are used after it.
 * Throws: RangeError where nothing can be written at all.
 */
export function renderGbnf(grammar: Grammar): string {
  const used = reachableRules(grammar);
  const lines = [...used].map((name) => `${name} ::= ${renderRule(ruleNamed(grammar, name), 'rule')}`);
  return `${[`root ::= ${renderRule(grammar.root, 'rule')}`, ...lines].join('\n')}\n`;
}

/** The rule a reference means. Throws: RangeError for a name the grammar does not define. */
export function ruleNamed(grammar: Grammar, name: string): GrammarRule {
  const rule = grammar.rules.get(name);
  if (rule === undefined) throw new RangeError(`the grammar defines no rule '${name}'`);
  return rule;
}

/** Names of the rules that a completion can reach, in order of first use. */
export function reachableRules(grammar: Grammar): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (rule: GrammarRule): void => {
    if (rule.kind === 'reference' && !found.has(rule.name)) {
      found.add(rule.name);
      visit(ruleNamed(grammar, rule.name));
    }
    if (rule.kind === 'sequence') rule.parts.forEach(visit);
    if (rule.kind === 'choice') rule.options.forEach(visit);
    if (rule.kind === 'repeat') visit(rule.rule);
  };
  visit(grammar.root);
  return found;
}

/** Where a rule stands: alone, in a sequence, or before a count; brackets go around what binds less tightly. */
type Position = 'rule' | 'part' | 'item';

function renderRule(rule: GrammarRule, position: Position): string {
  switch (rule.kind) {
    case 'text':
      return renderText(rule.text);
    case 'characters':
      return `[${rule.ranges.map(renderRange).join('')}]`;
    case 'reference':
      return rule.name;
    case 'repeat':
      return renderRule(rule.rule, 'item') + renderCount(rule.min, rule.max);
    case 'sequence': {
      const parts = rule.parts.map((part) => renderRule(part, 'part')).join(' ');
      return position === 'item' ? `(${parts})` : parts;
    }
    case 'choice': {
      const options = rule.options.map((option) => renderRule(option, 'rule')).join(' | ');
      return position === 'rule' ? options : `(${options})`;
    }
    case 'never':
      throw new RangeError('nothing can be written under this grammar');
  }
}

function renderCount(min: number, max: number): string {
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

const named: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  '\\': '\\\\',
};

function renderText(value: string): string {
  const escaped = value.replace(/[\n\r\t"\\]/g, (character) => named[character] ?? character);
  return `"${escaped}"`;
}

function renderRange([first, last]: CharacterRange): string {
  return first === last ? renderCharacter(first) : `${renderCharacter(first)}-${renderCharacter(last)}`;
}

function renderCharacter(character: string): string {
  const special = named[character];
  if (special !== undefined) return special;
  return /[\]^-]/.test(character) ? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}` : character;
}
