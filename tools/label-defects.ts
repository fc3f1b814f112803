/**
 * Finds out which edits repair the planted defects of resources/defects/planted.yaml, by training in them.
 *
 *   npx node tools/label-defects.ts [--jobs 1] [--only NAME]… [--again]
 *
 * Writes resources/defects/labels/NAME.json for each: what a coach is shown, what it may choose from, and what each choice came to
 * on paired seeds. Resumable: what is there is kept (unless --again), and several runs at once share the work; what one that was
 * killed had begun is begun anew. About a minute of an idle
 * core each.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { type LabelledDefect, repairsOf } from '../src/engine/coach/probe/labelled-defect.ts';
import { type PlantedDefect, readPlantedDefects } from '../src/engine/coach/probe/planted-defects.ts';
import { claim } from './defects/claim.ts';
import { labelDefect, type Origin } from './defects/label-defect.ts';
import { argumentsFor, readLabelOptions, shareOut } from './defects/label-options.ts';

const options = readLabelOptions(process.argv.slice(2));

const folder = join(import.meta.dirname, '../resources/defects');
const labels = join(folder, 'labels');
mkdirSync(labels, { recursive: true });

const origin: Origin = {
  command: 'node tools/label-defects.ts',
  commit: execFileSync('git', ['describe', '--always', '--dirty'], { cwd: folder, encoding: 'utf8' }).trim(),
  cpu: cpus()[0]?.model ?? 'unknown',
};

/** A line per part, and one per option: small, and readable in a difference. */
function layOut(labelled: LabelledDefect): string {
  const parts = Object.entries(labelled).map(([key, value]) =>
    key === 'options'
      ? `"options":[\n${labelled.options.map((option) => JSON.stringify(option)).join(',\n')}\n]`
      : `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  return `{\n${parts.join(',\n')}\n}\n`;
}

const pathOf = ({ name }: PlantedDefect): string => join(labels, `${name}.json`);

const isWanted = (defect: PlantedDefect): boolean =>
  (options.only === null || options.only.includes(defect.name)) &&
  (options.again || !existsSync(pathOf(defect)));

/** Other processes leave what one has begun. */
async function label(defect: PlantedDefect): Promise<void> {
  const path = pathOf(defect);
  const release = claim(`${path}.lock`);
  if (release === null) return;
  try {
    const began = performance.now();
    const labelled = await labelDefect(defect, origin);
    writeFileSync(`${path}.part`, layOut(labelled));
    renameSync(`${path}.part`, path);
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    const { options: tried, made } = labelled;
    process.stdout.write(
      `${defect.name}: ${repairsOf(labelled).length} of ${tried.length} options repair (objective ${made.objective.toFixed(2)}, ${seconds} s)\n`,
    );
  } finally {
    release();
  }
}

/** In a process of its own, which starts no others. */
function labelApart(name: string): Promise<number> {
  const args = [import.meta.filename, ...argumentsFor(name, options)];
  const child = spawn(process.execPath, [...process.execArgv, ...args], { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

const wanted = readPlantedDefects(join(folder, 'planted.yaml')).filter(isWanted);
if (options.jobs > 1) {
  const names = wanted.map(({ name }) => name);
  process.exitCode = await shareOut(names, options.jobs, labelApart);
} else {
  for (const defect of wanted) if (isWanted(defect)) await label(defect);
}
