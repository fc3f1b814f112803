import path from 'node:path';
import { runInPlace } from './bootstrap/node-runtime.mjs';
import { inProject, root } from './bootstrap/project.mjs';

/**
 * Runs vitest with `args` and returns its exit code. Where GYMWRIGHT_TEST_REPORTS names a folder, a JSON report
 * called `report` is kept there beside the usual output.
 */
export function runVitest(report, args) {
  const folder = process.env.GYMWRIGHT_TEST_REPORTS;
  const reporting = folder
    ? ['--reporter=default', '--reporter=json', `--outputFile.json=${path.join(folder, `${report}.json`)}`]
    : [];
  const vitest = inProject('node_modules', 'vitest', 'vitest.mjs');
  process.chdir(root);
  return runInPlace(process.execPath, [vitest, 'run', ...reporting, ...args]);
}
