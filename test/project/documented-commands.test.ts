import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** What people read and type from; notes on decisions name commands without being instructions. */
const pages = globSync([
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'templates/**/*.md',
  'docs/**/*.md',
]).filter((page) => !page.includes('decisions'));

/** Lines of a page that match, with their number. */
function linesOf(page: string, pattern: RegExp): string[] {
  return readFileSync(page, 'utf8')
    .split('\n')
    .flatMap((line, i) => (pattern.test(line) ? [`${page}:${i + 1} ${line.trim()}`] : []));
}

describe('commands in the documentation', () => {
  test('there are pages, and commands on them', () => {
    expect(pages.flatMap((page) => linesOf(page, /npx gymwright /)).length).toBeGreaterThan(20);
    expect(pages.flatMap((page) => linesOf(page, /npx node tools\//)).length).toBeGreaterThan(1);
  });

  test('scripts are run by the Node of the clone, whatever Node the system has', () => {
    expect(pages.flatMap((page) => linesOf(page, /(?<!npx )\bnode (?:tools|bench|scripts|bin)\//))).toEqual(
      [],
    );
  });

  test('lines to type begin with what works in the clone', () => {
    expect(pages.flatMap((page) => linesOf(page, /^\s*gymwright [a-z]/))).toEqual([]);
  });
});
