import { describe, expect, test } from 'vitest';
import {
  checkVariables,
  listVariables,
  parseTemplate,
  renderTemplate,
} from '../../../../src/engine/coach/prompts/template.ts';
import { thrownBy } from '../../../support/error-code.ts';

const render = (text: string, values: Record<string, string | boolean>): string =>
  renderTemplate(parseTemplate('p.md', text), values);

describe('parseTemplate', () => {
  test.each([
    ['an unclosed tag', 'one\n{{mission', /p\.md:2: a tag is opened/],
    ['a tag across lines', '{{mission\n}}', /p\.md:1: a tag is opened/],
    ['an empty tag', 'a\nb {{ }}', /p\.md:2: "{{ }}" is not a tag/],
    ['a tag with an expression', '{{a.b}}', /p\.md:1: "{{a\.b}}" is not a tag/],
    ['an unclosed section', 'x\n{{#a}}\ny', /p\.md:2: the section "a" is not closed\. Add {{\/a}}/],
    [
      'sections that cross',
      '{{#a}}{{#b}}{{/a}}{{/b}}',
      /{{\/a}} closes no open section\. Close "b" \(line 1\) first/,
    ],
    ['a close without an open', 'x {{/a}}', /{{\/a}} closes no open section\. Remove it/],
  ])('refuses %s with its line', (_, text, message) => {
    const error = thrownBy(() => parseTemplate('p.md', text));
    expect(error.code).toBe('prompt.invalid');
    expect(error.message).toMatch(message);
  });
});

describe('renderTemplate', () => {
  test('fills variables and leaves other braces alone', () => {
    expect(render('{"a": {{ x }}, {y}}', { x: '1' })).toBe('{"a": 1, {y}}');
  });

  test('shows sections by value: text shows, empty text and false do not', () => {
    const text = '{{#a}}yes {{a}}{{/a}}{{^a}}no{{/a}}';
    expect(render(text, { a: 'x' })).toBe('yes x');
    expect(render(text, { a: '' })).toBe('no');
    expect(render(text, { a: false })).toBe('no');
  });

  test('nests sections and drops comments', () => {
    expect(render('{{! note }}{{#a}}<{{#b}}{{c}}{{/b}}>{{/a}}', { a: true, b: true, c: 'z' })).toBe('<z>');
  });

  test('a line that holds only a section tag or a comment is not part of the text', () => {
    expect(render('{{! note }}\na\n{{#x}}\nb\n  {{/x}}\nc {{#x}}d{{/x}}\n', { x: true })).toBe('a\nb\nc d\n');
    expect(render('{{v}}\n{{v}}\n', { v: '1' })).toBe('1\n1\n');
  });

  test('a value is text, never a template', () => {
    expect(render('{{x}}', { x: '{{y}}' })).toBe('{{y}}');
  });

  test('a variable without a value names itself and its line', () => {
    const error = thrownBy(() => render('a\n{{toString}}', {}));
    expect(error.code).toBe('prompt.invalid');
    expect(error.message).toMatch(/p\.md:2: the variable "toString" has no value/);
  });
});

describe('checkVariables', () => {
  const template = parseTemplate('p.md', 'a\n{{mission}} {{#past}}{{pats}}{{/past}}');

  test('lists variables and sections with their first line', () => {
    expect([...listVariables(template)]).toEqual([
      ['mission', 2],
      ['past', 2],
      ['pats', 2],
    ]);
  });

  test('an unknown variable is an error with line and the known names', () => {
    const error = thrownBy(() => checkVariables(template, ['mission', 'past']));
    expect(error.message).toMatch(/p\.md:2: unknown variable "pats"\. Known: mission, past/);
  });

  test('a required variable that is missing is an error', () => {
    const error = thrownBy(() => checkVariables(template, ['mission', 'past', 'pats'], ['options']));
    expect(error.message).toMatch(/{{options}} is missing/);
  });
});
