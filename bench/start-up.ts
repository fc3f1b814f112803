// Start-up times of the built tree, each the median of several fresh processes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Figure, median, printReport } from './figure.ts';

const repetitions = 7;
const root = path.resolve(import.meta.dirname, '..');
const bin = path.join(root, 'bin', 'gymwright.js');
const workspace = mkdtempSync(path.join(os.tmpdir(), 'gymwright-bench-'));

function time(args: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - started;
}

const cases: readonly { name: string; args: readonly string[]; aim?: Figure['aim'] }[] = [
  { name: 'gymwright --help', args: [bin, '--help'], aim: { atMost: 300 } },
  { name: 'gymwright scenarios', args: [bin, 'scenarios'] },
  { name: 'gymwright runs list', args: [bin, 'runs', 'list', '--workspace', workspace] },
  { name: 'npm start, nothing changed, --help', args: [path.join(root, 'scripts', 'start.mjs'), '--help'] },
];

try {
  time([bin, 'init', workspace]);
  const figures = cases.map(({ name, args, aim }): Figure => {
    time(args);
    const value = median(Array.from({ length: repetitions }, () => time(args)));
    return { name, value, unit: 'ms', ...(aim === undefined ? {} : { aim }) };
  });
  printReport({ figures });
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
