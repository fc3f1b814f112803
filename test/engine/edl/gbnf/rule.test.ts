import { describe, expect, test } from 'vitest';
import { GrammarBuilder } from '../../../../src/engine/edl/gbnf/grammar-builder.ts';
import { renderGbnf } from '../../../../src/engine/edl/gbnf/render-gbnf.ts';
import {
  characters,
  choice,
  digit,
  type GrammarRule,
  never,
  nothing,
  optional,
  repeat,
  sequence,
  text,
} from '../../../../src/engine/edl/gbnf/rule.ts';
import { longestCompletion, walkGrammar } from '../../../../src/engine/edl/gbnf/walk.ts';
import { GbnfReader } from '../../../support/gbnf-reader.ts';

const grammarOf = (root: GrammarRule, rules: ReadonlyMap<string, GrammarRule> = new Map()) => ({
  root,
  rules,
});
const rendered = (root: GrammarRule): string => renderGbnf(grammarOf(root)).trimEnd();

describe('rules', () => {
  test('what can never be written takes its sequence with it and leaves a choice', () => {
    expect(sequence('a', never, 'b')).toBe(never);
    expect(choice('a', never)).toEqual(text('a'));
    expect(choice(never, sequence(never))).toBe(never);
    expect(optional(never)).toBe(nothing);
    expect(repeat(never, 1, 3)).toBe(never);
  });

  test('neighbouring texts become one, equal options count once', () => {
    expect(sequence('a', '', sequence('b', digit), 'c')).toEqual({
      kind: 'sequence',
      parts: [text('ab'), digit, text('c')],
    });
    expect(choice('a', 'a')).toEqual(text('a'));
  });
});

describe('renderGbnf', () => {
  test('brackets stand where they are needed', () => {
    const either = choice('a', 'b');
    expect(rendered(either)).toBe('root ::= "a" | "b"');
    expect(rendered(sequence(either, 'c'))).toBe('root ::= ("a" | "b") "c"');
    expect(rendered(repeat(either, 2, 4))).toBe('root ::= ("a" | "b"){2,4}');
    expect(rendered(optional(sequence('a', digit)))).toBe('root ::= ("a" [0-9])?');
    expect(rendered(repeat(digit, 3, 3))).toBe('root ::= [0-9]{3}');
  });

  test('escapes quotes, line breaks, backslashes and what means something in a class', () => {
    const special = sequence('say "x"\n\\', characters([']', ']'], ['-', '-'], ['^', '^'], ['\t', '\t']));
    expect(rendered(special)).toBe('root ::= "say \\"x\\"\\n\\\\" [\\x5d\\x2d\\x5e\\t]');
    const reader = new GbnfReader(rendered(special));
    expect(['say "x"\n\\]', 'say "x"\n\\-', 'say "x"\n\\\t'].map((one) => reader.accepts(one))).toEqual([
      true,
      true,
      true,
    ]);
    expect(reader.accepts('say "x"\n\\_')).toBe(false);
  });

  test('holds the rules that are used, each once', () => {
    const builder = new GrammarBuilder();
    builder.define('unused', () => digit);
    const word = builder.define('a word!', () => repeat(characters(['a', 'z']), 1, 3));
    expect(builder.define('a word!', () => digit)).toBe(word);
    const other = builder.define('a.word', () => digit);
    expect(renderGbnf(builder.build(sequence(word, ' ', word, other)))).toBe(
      'root ::= a-word " " a-word a-word-2\na-word ::= [a-z]{1,3}\na-word-2 ::= [0-9]\n',
    );
  });

  test('a rule that contains itself is a mistake of its author', () => {
    const builder = new GrammarBuilder();
    const loop = (): GrammarRule => builder.define('loop', () => sequence('x', loop()));
    expect(loop).toThrow(/'loop' contains itself/);
  });

  test('refuses a grammar under which nothing can be written', () => {
    expect(() => rendered(never)).toThrow(RangeError);
    expect(() => walkGrammar(grammarOf(never), () => 0)).toThrow(RangeError);
  });
});

describe('walkGrammar', () => {
  test('takes first and last options at the ends of the interval', () => {
    const grammar = grammarOf(
      sequence(choice('a', 'b'), repeat('x', 1, 3), characters(['0', '3'], ['7', '9'])),
    );
    expect(walkGrammar(grammar, () => 0)).toBe('ax0');
    expect(walkGrammar(grammar, () => 0.999999)).toBe('bxxx9');
    expect(walkGrammar(grammar, () => 1)).toBe('bxxx9');
    expect(longestCompletion(grammar)).toBe(5);
  });
});
