import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// Inside the project, so that type packages resolve; git ignores the folder.
const folder = path.resolve('test-results', 'types');

function typeCheck(project: string, source: string): string {
  const own = path.join(folder, project);
  mkdirSync(own, { recursive: true });
  writeFileSync(path.join(own, 'sample.ts'), source);
  const config = JSON.parse(readFileSync(`tsconfig.${project}.json`, 'utf8')) as { compilerOptions: object };
  const extended = {
    ...config,
    extends: path.resolve('tsconfig.base.json'),
    include: ['sample.ts'],
    exclude: [],
  };
  writeFileSync(path.join(own, 'tsconfig.json'), JSON.stringify(extended));
  const tsc = path.resolve('node_modules', 'typescript', 'bin', 'tsc');
  return spawnSync(process.execPath, [tsc, '-p', own], { encoding: 'utf8' }).stdout;
}

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('tsconfigs', () => {
  test.each([
    ['shared', 'process.exit(0);', /Cannot find name 'process'/],
    ['shared', 'document.title;', /Cannot find name 'document'/],
    ['node', 'document.title;', /Cannot find name 'document'/],
    ['web', 'process.exit(0);', /Cannot find name 'process'/],
    ['node', 'export const first = ([] as string[])[0].length;', /possibly 'undefined'/],
    ['node', 'export enum Kind { A }', /erasableSyntaxOnly/],
    ['node', 'export const f = (x) => x;', /implicitly has an 'any' type/],
  ])('%s refuses: %s', (project, source, expected) => {
    expect(typeCheck(project, source)).toMatch(expected);
  });

  test.each([
    ['node', 'process.exit(0);'],
    ['web', 'document.title;'],
  ])('%s knows its own globals: %s', (project, source) => {
    expect(typeCheck(project, source)).toBe('');
  });
});
