import { globSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/main/cli/program.ts';

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

/** "coach memory list": full names of the commands that do something. */
function leavesOf(command: Command, before = ''): string[] {
  const name = `${before}${command.name()}`;
  return command.commands.length === 0
    ? [name]
    : command.commands.flatMap((child) => leavesOf(child, `${name} `));
}

describe('commands in the documentation', () => {
  test('there are pages, and commands on them', () => {
    expect(pages.flatMap((page) => linesOf(page, /npx gymwright /)).length).toBeGreaterThan(20);
    expect(pages.flatMap((page) => linesOf(page, /npx node tools\//)).length).toBeGreaterThan(1);
  });

  test.each(['README.md', 'docs/command-line.md'])(
    '%s names every command about coaches and models',
    (page) => {
      const text = readFileSync(page, 'utf8');
      const program = createProgram('0', async () => {});
      const groups = program.commands.filter((each) => ['coach', 'model'].includes(each.name()));
      const names = groups.flatMap((group) => leavesOf(group));
      expect(names.length).toBeGreaterThan(10);
      expect(names.filter((name) => !text.includes(name))).toEqual([]);
    },
  );

  test('scripts are run by the Node of the clone, whatever Node the system has', () => {
    expect(pages.flatMap((page) => linesOf(page, /(?<!npx )\bnode (?:tools|bench|scripts|bin)\//))).toEqual(
      [],
    );
  });

  test('lines to type begin with what works in the clone', () => {
    expect(pages.flatMap((page) => linesOf(page, /^\s*gymwright [a-z]/))).toEqual([]);
  });
});
