import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** folder, what a file in it imports; the import table (biome.json, overrides) must refuse it. */
const refused: readonly (readonly [folder: string, specifier: string])[] = [
  ['src/shared/std', '../../engine/sim/vec-env.ts'],
  ['src/shared/std', 'node:fs'],
  ['src/shared/std', 'yaml'],
  ['src/engine/edl/check', '../../sim/index.ts'],
  ['src/engine/edl', '../learn/index.ts'],
  ['src/engine/edl', 'node:path'],
  ['src/engine/edl', 'monaco-editor/editor'],
  ['src/engine/edl/check', '../index.ts'],
  ['src/engine/learn/graph', '../../edl/index.ts'],
  ['src/engine/learn', '../store/index.ts'],
  ['src/engine/policy', '../sim/index.ts'],
  ['src/engine/sim', '../learn/index.ts'],
  ['src/engine/sim', './index.ts'],
  ['src/engine/language', '../coach/index.ts'],
  ['src/engine/files', '../store/index.ts'],
  ['src/engine/yaml', 'node:fs'],
  ['src/engine/describe', '../sim/index.ts'],
  ['src/engine/train', '../store/index.ts'],
  ['src/engine/store', 'electron'],
  ['src/engine/runs', '../../workers/trainer.ts'],
  ['src/engine/coach', '../../main/cli/index.ts'],
  ['src/engine/rpc', '../../renderer/app.ts'],
  ['src/workers', '../engine/store/index.ts'],
  ['src/workers', 'electron'],
  ['src/main/desktop', '../../engine/store/index.ts'],
  ['src/main/desktop', '../../renderer/app.ts'],
  ['src/main/cli/commands', '../../../engine/sim/index.ts'],
  ['src/main/cli', 'electron'],
  ['src/main/cli', '../desktop/window.ts'],
  ['src/main/serve', 'better-sqlite3'],
  ['src/preload', '../shared/std/app-error.ts'],
  ['src/preload', 'node:fs'],
  ['src/preload', 'zod'],
  ['src/renderer/panels', '../../engine/edl/index.ts'],
  ['src/renderer', 'node:fs'],
  ['src/renderer', 'electron'],
  ['src/renderer', '../main/serve/serve.ts'],
];

const allowed: readonly (readonly [folder: string, specifier: string])[] = [
  ['src/shared/contract', '../std/app-error.ts'],
  ['src/shared/contract', './edl.ts'],
  ['src/shared/contract', 'zod'],
  ['src/engine/edl/check', '../../../shared/contract/edl.ts'],
  ['src/engine/edl', 'langium'],
  ['src/engine/learn', 'onnxruntime-node'],
  ['src/engine/policy', '../learn/index.ts'],
  ['src/engine/sim', '../../shared/rl/vec-env.ts'],
  ['src/engine/language', '../edl/index.ts'],
  ['src/engine/files', 'node:fs'],
  ['src/engine/yaml', 'yaml'],
  ['src/engine/describe', '../edl/index.ts'],
  ['src/engine/describe', '../yaml/index.ts'],
  ['src/main/desktop', '../../engine/files/index.ts'],
  ['src/main/cli', '../../engine/files/index.ts'],
  ['src/engine/language', '../sim/index.ts'],
  ['src/engine/runs', '../edl/index.ts'],
  ['src/engine/coach', '../store/index.ts'],
  ['src/engine/store', 'better-sqlite3'],
  ['src/workers', '../engine/train/index.ts'],
  ['src/main/cli/commands', '../../../engine/rpc/index.ts'],
  ['src/main/cli', '../../shared/contract/index.ts'],
  ['src/main/serve', 'ws'],
  ['src/main/desktop', 'electron'],
  ['src/preload', 'electron'],
  ['src/preload', '../shared/contract/index.ts'],
  ['src/renderer/panels', '../../shared/contract/runs.ts'],
  ['src/renderer/panels/runs', '../../charts/line-chart.ts'],
  ['src/renderer', 'react'],
];

const biome = path.resolve('node_modules/@biomejs/biome/bin/biome');
let tree: string;
/** Files that Biome complained about, by rule. */
let complaints: Map<string, Set<string>>;

const fileOf = (folder: string, index: number) => `${folder}/case-${index}.ts`;
const cases = [...refused, ...allowed];

function write(file: string, text: string): void {
  mkdirSync(path.join(tree, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(tree, file), text);
}

function lint(): Map<string, Set<string>> {
  const args = [biome, 'check', '--reporter=json', '--max-diagnostics=none', '.'];
  const options: ExecFileSyncOptionsWithStringEncoding = {
    cwd: tree,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  };
  let output: string;
  try {
    output = execFileSync(process.execPath, args, options);
  } catch (thrown) {
    output = (thrown as { stdout: string }).stdout;
  }
  const found = new Map<string, Set<string>>();
  const report = JSON.parse(output) as { diagnostics: { category: string; location: { path: string } }[] };
  for (const { category, location } of report.diagnostics) {
    const files = found.get(category) ?? new Set<string>();
    found.set(category, files.add(location.path));
  }
  return found;
}

beforeAll(() => {
  tree = mkdtempSync(path.join(os.tmpdir(), 'gymwright-lint-'));
  const config = JSON.parse(readFileSync('biome.json', 'utf8')) as Record<string, unknown>;
  writeFileSync(path.join(tree, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false } }));
  cases.forEach(([folder, specifier], index) => {
    write(fileOf(folder, index), `import { thing } from '${specifier}';\nexport const value = thing;\n`);
  });
  write(
    'src/engine/edl/type-import.ts',
    "import type { VecEnv } from '../sim/index.ts';\nexport type Mine = VecEnv;\n",
  );
  write('src/engine/edl/re-export.ts', "export * from '../sim/index.ts';\n");
  write('src/engine/edl/lazy.ts', "export const load = () => import('../sim/index.ts');\n");
  write('src/engine/runs/cycle-a.ts', "import { b } from './cycle-b.ts';\nexport const a = () => b;\n");
  write('src/engine/runs/cycle-b.ts', "import { a } from './cycle-a.ts';\nexport const b = () => a;\n");
  write('src/engine/runs/loose.ts', 'export const parse = (value: any) => value.name;\n');
  write('src/engine/runs/crooked.ts', 'export const a   = "double"\n');
  write('src/engine/runs/endless.ts', `${'// a line\n'.repeat(401)}export const a = 1;\n`);
  write(
    'src/engine/runs/sprawling.ts',
    `export function sprawl(): void {\n${'  console.log(1);\n'.repeat(81)}}\n`,
  );
  complaints = lint();
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

const complainsAbout = (file: string, rule: string) => complaints.get(rule)?.has(file) ?? false;
const importRule = 'lint/style/noRestrictedImports';

describe('import table', () => {
  test.each(refused)('%s may not import %s', (folder, specifier) => {
    const index = refused.findIndex(([a, b]) => a === folder && b === specifier);
    expect(complainsAbout(fileOf(folder, index), importRule)).toBe(true);
  });

  test.each(allowed)('%s may import %s', (folder, specifier) => {
    const index = refused.length + allowed.findIndex(([a, b]) => a === folder && b === specifier);
    expect(complainsAbout(fileOf(folder, index), importRule)).toBe(false);
  });

  test.each(['type-import', 're-export', 'lazy'])('holds for the %s form of an import', (name) => {
    expect(complainsAbout(`src/engine/edl/${name}.ts`, importRule)).toBe(true);
  });

  test('refuses an import cycle', () => {
    expect(complainsAbout('src/engine/runs/cycle-a.ts', 'lint/suspicious/noImportCycles')).toBe(true);
  });

  test.each([
    ['crooked', 'format'],
    ['endless', 'lint/style/noExcessiveLinesPerFile'],
    ['sprawling', 'lint/complexity/noExcessiveLinesPerFunction'],
  ])('refuses a file that is %s (%s)', (name, rule) => {
    expect(complainsAbout(`src/engine/runs/${name}.ts`, rule)).toBe(true);
  });

  test('refuses any', () => {
    expect(complainsAbout('src/engine/runs/loose.ts', 'lint/suspicious/noExplicitAny')).toBe(true);
  });
});
