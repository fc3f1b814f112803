/**
 * Finds out which edits repair the planted defects of resources/defects/planted.yaml, by training in them.
 *
 *   npx node tools/label-defects.ts [--jobs 1] [--only NAME]… [--again]
 *
 * Writes resources/defects/labels/NAME.json for each: what a coach is shown, what it may choose from, and what each choice came to
 * on paired seeds. Resumable: what is there is kept (unless --again), and several runs at once share the work. About half a minute
 * of an idle core each.
 */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type LabelledDefect, repairsOf } from '../src/engine/coach/probe/labelled-defect.ts';
import { readPlantedDefects } from '../src/engine/coach/probe/planted-defects.ts';
import { labelDefect, type Origin } from './defects/label-defect.ts';

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
    again: { type: 'boolean', default: false },
  },
});

const folder = join(import.meta.dirname, '../resources/defects');
const labels = join(folder, 'labels');
mkdirSync(labels, { recursive: true });

const origin: Origin = {
  command: 'node tools/label-defects.ts',
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim(),
  cpu: cpus()[0]?.model ?? 'unknown',
};

/** Other jobs leave what one has begun; a job that was killed leaves its mark, which --again looks past. */
function claim(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'));
    return true;
  } catch {
    return false;
  }
}

/** A line per part, and one per option: small, and readable in a difference. */
function layOut(labelled: LabelledDefect): string {
  const parts = Object.entries(labelled).map(([key, value]) =>
    key === 'options'
      ? `"options":[\n${labelled.options.map((option) => JSON.stringify(option)).join(',\n')}\n]`
      : `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  return `{\n${parts.join(',\n')}\n}\n`;
}

async function labelAll(): Promise<void> {
  for (const defect of readPlantedDefects(join(folder, 'planted.yaml'))) {
    if (values.only !== undefined && !values.only.includes(defect.name)) continue;
    const path = join(labels, `${defect.name}.json`);
    const mark = `${path}.lock`;
    if ((existsSync(path) && !values.again) || !claim(mark)) continue;
    try {
      const began = performance.now();
      const labelled = await labelDefect(defect, origin);
      writeFileSync(`${path}.part`, layOut(labelled));
      renameSync(`${path}.part`, path);
      const seconds = ((performance.now() - began) / 1000).toFixed(0);
      const { options, made } = labelled;
      process.stdout.write(
        `${defect.name}: ${repairsOf(labelled).length} of ${options.length} options repair (objective ${made.objective.toFixed(2)}, ${seconds} s)\n`,
      );
    } finally {
      rmSync(mark, { force: true });
    }
  }
}

const jobs = Number(values.jobs);
if (jobs > 1) {
  const args = process.argv.slice(1).filter((arg, i, all) => arg !== '--jobs' && all[i - 1] !== '--jobs');
  const ended = Array.from({ length: jobs }, () => {
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    return new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
  });
  process.exitCode = Math.max(...(await Promise.all(ended)));
} else {
  await labelAll();
}
