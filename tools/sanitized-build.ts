import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** How to start a worker: on the addon as it is, or on one with sanitizers. */
export interface WorkerBuild {
  readonly script: string;
  readonly execArgv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** How many times slower it may be. */
  readonly slowdown: number;
}

export function plainBuild(tool: string): WorkerBuild {
  return { script: join(root, 'tools', tool), execArgv: [], env: process.env, slowdown: 1 };
}

/**
 * Builds the addon with address and undefined-behaviour sanitizers into build/asan, and lays out a folder in which
 * the project finds that one in place of its own: links to the sources, read without resolving them.
 */
export function sanitizedBuild(tool: string): WorkerBuild {
  const cmake = join(root, 'node_modules/cmake-js/bin/cmake-js');
  const options = ['compile', '--out', 'build/asan', '--CDGYMWRIGHT_SANITIZE=ON'];
  execFileSync(process.execPath, [cmake, ...options], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const folder = mkdtempSync(join(tmpdir(), 'gymwright-sanitized-'));
  for (const name of ['src', 'test', 'tools', 'resources', 'node_modules', 'package.json']) {
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(folder, name));
  }
  mkdirSync(join(folder, 'build'));
  symlinkSync(join(root, 'build/asan/Release'), join(folder, 'build/Release'));
  const library = (name: string): string =>
    execFileSync('gcc', [`-print-file-name=${name}`], { encoding: 'utf8' }).trim();
  return {
    script: join(folder, 'tools', tool),
    execArgv: ['--preserve-symlinks', '--preserve-symlinks-main'],
    // Node frees nothing at exit, so leaks are not looked for.
    env: {
      ...process.env,
      LD_PRELOAD: [library('libasan.so'), library('libubsan.so')].join(' '),
      ASAN_OPTIONS: 'detect_leaks=0:abort_on_error=1',
      UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1',
    },
    slowdown: 5,
  };
}
