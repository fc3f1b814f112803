import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** A small project around a copy of scripts/: they find their root from where they lie. */
let tree: string;

function write(file: string, text: string): void {
  mkdirSync(path.join(tree, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(tree, file), text);
}

const read = (file: string) => readFileSync(path.join(tree, file), 'utf8');

/** Runs an expression over a module of scripts/bootstrap in a process of its own. */
function evaluate(module: string, expression: string, env: NodeJS.ProcessEnv = process.env) {
  const url = pathToFileURL(path.join(tree, 'scripts', 'bootstrap', module)).href;
  const report = pathToFileURL(path.join(tree, 'scripts', 'bootstrap', 'report.mjs')).href;
  const script = `
    const m = await import(${JSON.stringify(url)});
    const { runMain } = await import(${JSON.stringify(report)});
    await runMain(async () => { const value = await (${expression}); console.log(JSON.stringify(value ?? null)); });`;
  const args = ['--input-type=module', '--eval', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env, cwd: tree });
  return { status, value: stdout === '' ? undefined : (JSON.parse(stdout) as unknown), stderr };
}

beforeEach(() => {
  tree = mkdtempSync(path.join(os.tmpdir(), 'gymwright-bootstrap-'));
  cpSync('scripts', path.join(tree, 'scripts'), { recursive: true });
});
afterEach(() => rmSync(tree, { recursive: true, force: true }));

describe('install', () => {
  const lock = (packages: object) => JSON.stringify({ packages });
  const wanted = {
    '': { name: 'x' },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/b': { version: '2.0.0', integrity: 'sha512-b', optional: true },
  };
  const isInstalled = () => evaluate('install.mjs', 'm.isInstalled()').value;

  test('a tree without node_modules is not installed', () => {
    write('package-lock.json', lock(wanted));
    expect(isInstalled()).toBe(false);
  });

  test('optional packages of other platforms may be absent', () => {
    write('package-lock.json', lock(wanted));
    write('node_modules/.package-lock.json', lock({ 'node_modules/a': wanted['node_modules/a'] }));
    expect(isInstalled()).toBe(true);
  });

  test.each([
    ['another version', { 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } }],
    ['another content', { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-c' } }],
    ['a package missing', {}],
    [
      'a package too many',
      { 'node_modules/a': wanted['node_modules/a'], 'node_modules/z': { version: '1.0.0' } },
    ],
  ])('%s asks for an install', (_what, present) => {
    write('package-lock.json', lock(wanted));
    write('node_modules/.package-lock.json', lock(present));
    expect(isInstalled()).toBe(false);
  });
});

describe('generate', () => {
  const count = () => read('runs.txt').length;

  beforeEach(() => {
    const generator = {
      name: 'copy',
      inputs: ['in.txt'],
      outputs: ['generated/out.txt'],
      command: ['copy.mjs'],
    };
    write('tools/generators.json', JSON.stringify([generator]));
    write(
      'copy.mjs',
      `import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
       mkdirSync('generated', { recursive: true });
       writeFileSync('generated/out.txt', readFileSync('in.txt', 'utf8').toUpperCase());
       appendFileSync('runs.txt', 'x');`,
    );
    write('in.txt', 'one');
  });

  test('runs once, and again only when an input or an output changed', () => {
    evaluate('generate.mjs', 'm.generate()');
    evaluate('generate.mjs', 'm.generate()');
    expect(count()).toBe(1);
    write('in.txt', 'two');
    evaluate('generate.mjs', 'm.generate()');
    expect(read('generated/out.txt')).toBe('TWO');
    write('generated/out.txt', 'edited by hand');
    evaluate('generate.mjs', 'm.generate()');
    expect(read('generated/out.txt')).toBe('TWO');
    expect(count()).toBe(3);
  });

  test('the check names a stale file and leaves it as it is', () => {
    write('generated/out.txt', 'stale');
    const { value } = evaluate('generate.mjs', 'm.checkGenerated()');
    expect(value).toMatch(/npm run generate[\s\S]*generated\/out\.txt/);
    expect(read('generated/out.txt')).toBe('stale');
  });

  test('the check passes on what the generator writes', () => {
    write('generated/out.txt', 'ONE');
    expect(evaluate('generate.mjs', 'm.checkGenerated()').value).toBe(null);
  });

  test('a generator that fails is named with its command and what it said', () => {
    write('copy.mjs', "console.error('no such opcode'); process.exit(3);");
    const { status, stderr } = evaluate('generate.mjs', 'm.generate()');
    expect(status).toBe(1);
    expect(stderr).toMatch(/generating copy failed \(exit code 3\)/);
    expect(stderr).toMatch(/command: .*copy\.mjs/);
    expect(stderr).toContain('| no such opcode');
  });
});

describe('Stamp', () => {
  const isCurrent = () =>
    evaluate(
      'fingerprint.mjs',
      "new m.Stamp('out/stamp', ['out/x'], () => m.fingerprint(['src'])).isCurrent()",
    ).value;
  const stamp = () =>
    evaluate('fingerprint.mjs', "new m.Stamp('out/stamp', ['out/x'], () => m.fingerprint(['src'])).write()");

  beforeEach(() => {
    write('src/a.ts', 'a');
    write('out/x', 'built');
    stamp();
  });

  test('holds while nothing changed', () => expect(isCurrent()).toBe(true));

  test.each([
    ['a changed file', () => write('src/a.ts', 'b')],
    ['a new file', () => write('src/b.ts', '')],
    ['a renamed file', () => [write('src/c.ts', 'a'), rmSync(path.join(tree, 'src/a.ts'))]],
    ['a missing output', () => rmSync(path.join(tree, 'out/x'))],
  ])('%s asks for a build', (_what, change) => {
    change();
    expect(isCurrent()).toBe(false);
  });
});

describe('toolchain', () => {
  test('what is missing is told once, with the way to get it on every system', () => {
    const { status, stderr } = evaluate('toolchain.mjs', 'm.requireToolchain()', { PATH: '/nowhere' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/needs CMake and a C\+\+20 compiler/);
    for (const way of ['apt-get install', 'xcode-select', 'winget install']) expect(stderr).toContain(way);
    expect(stderr.match(/needs CMake/g)).toHaveLength(1);
  });
});

describe('build lock', () => {
  const build = () => evaluate('lock.mjs', "m.withBuildLock(async () => 'built')");
  const leftOvers = () => readdirSync(path.join(tree, '.bootstrap'));
  const age = (file: string) => utimesSync(path.join(tree, file), new Date(0), new Date(0));

  test('is held meanwhile and given back', () => {
    const script = `m.withBuildLock(async () => {
      const { readFileSync } = await import('node:fs');
      return JSON.parse(readFileSync('.bootstrap/lock', 'utf8')).pid === process.pid;
    })`;
    expect(evaluate('lock.mjs', script).value).toBe(true);
    expect(leftOvers()).toEqual([]);
  });

  test.each([
    ['of a process that is gone', JSON.stringify({ pid: 999_999_999, started: '', key: 'x' })],
    ['of a process whose number another has now', JSON.stringify({ pid: 1, started: 'never', key: 'x' })],
    ['that is empty', ''],
    ['that is no lock', '{"pid":'],
  ])('%s is taken over', (_what, text) => {
    write('.bootstrap/lock', text);
    age('.bootstrap/lock');
    expect(build().value).toBe('built');
    expect(leftOvers()).toEqual([]);
  });

  test('a takeover that was killed half-way does not stop the next one', () => {
    write('.bootstrap/lock', '');
    write('.bootstrap/clearing', '');
    age('.bootstrap/lock');
    age('.bootstrap/clearing');
    expect(build().value).toBe('built');
  });

  test('that another took meanwhile is left alone', () => {
    const script = `m.withBuildLock(async () => {
      const { writeFileSync } = await import('node:fs');
      writeFileSync('.bootstrap/lock', JSON.stringify({ pid: process.pid, started: '', key: 'other' }));
    })`;
    expect(evaluate('lock.mjs', script).status).toBe(0);
    expect(JSON.parse(read('.bootstrap/lock')).key).toBe('other');
  });

  test('lets one at a time build', () => {
    const script = `(async () => {
      let inside = 0, most = 0;
      await Promise.all(Array.from({ length: 3 }, () => m.withBuildLock(async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 20));
        inside--;
      })));
      return most;
    })()`;
    expect(evaluate('lock.mjs', script).value).toBe(1);
  });
});

describe('bundles', () => {
  test('are built anew when anything changes that their configuration names', () => {
    const config = readFileSync('electron.vite.config.ts', 'utf8');
    const named = [...config.matchAll(/inProject\('([^']+)'\)/g)].map(([, name]) => name ?? '');
    const inputs = named.filter((name) => !name.startsWith('out/'));
    const sources = evaluate('bundles.mjs', 'm.bundleSources').value as string[];
    expect(inputs).toContain('resources/icons');
    const isCovered = (name: string) => sources.some((each) => `${name}/`.startsWith(`${each}/`));
    expect(inputs.filter((name) => !isCovered(name))).toEqual([]);
  });
});

describe('node runtime', () => {
  test.each([
    ['22.14.0', true],
    ['22.13.9', false],
    ['24.0.0', true],
    ['20.20.2', false],
  ])('%s is new enough: %s', (version, expected) => {
    expect(evaluate('node-runtime.mjs', `m.isAtLeast('${version}', [22, 14])`).value).toBe(expected);
  });
});
