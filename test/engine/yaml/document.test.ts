import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../src/engine/yaml/index.ts';

const messagesOf = (text: string) => readDocument(text).problems.map(({ message }) => message);

describe('readDocument', () => {
  test.each([
    ['lists', `a: ${'['.repeat(101)}${']'.repeat(101)}`],
    ['lists beyond what the parser bears', '['.repeat(100_000)],
    ['items', '- '.repeat(100_000)],
    ['blocks', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('says of %s without end that they are nested too deep', (_what, text) => {
    expect(messagesOf(text)).toEqual(['blocks and lists are nested more than 100 deep']);
  });

  test('takes what is nested as deep as files are', () => {
    expect(messagesOf(`a: ${'['.repeat(50)}${']'.repeat(50)}`)).toEqual([]);
  });

  test('refuses a key that objects would lose without a word, wherever it stands', () => {
    const { value, problems } = readDocument('a: {__proto__: x}\nb:\n  - "__proto__": {c: 1}\n');
    expect(value).toBeNull();
    expect(problems).toEqual([
      { place: '', message: 'a key cannot be called "__proto__"', line: 1, column: 5 },
      { place: '', message: 'a key cannot be called "__proto__"', line: 3, column: 5 },
    ]);
    expect(messagesOf('a: __proto__')).toEqual([]);
  });
});
