/**
 * Runs the studies of `experiments/evidence`, one seed of all arms at a time, and keeps what came of them in `docs/evidence/runs`. What
 * is kept is not run again and an interrupted study goes on where it stood, so that it can be stopped and started at any
 * time; all of them take hours.
 *
 *   npx node bench/evidence/measure.ts [STUDY...] [--seeds 1,2] [--model FILE] [--workspace build/evidence] [--list]
 *
 * `--model`: the GGUF file that arms with a model name; studies that name one are refused without it.
 * `npm run generate` then writes docs/evidence/results.md.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseDocument } from 'yaml';
import { openStore } from '../../src/engine/store/index.ts';
import type { ReportView } from '../../src/shared/contract/report.ts';
import { experimentFolder, hashExperiment, keepSeed, listTasks, readExperiment, readKept } from './kept.ts';
import { keptRuns } from './read-study.ts';
import { serveWeights } from './weight-writer.ts';

const root = join(import.meta.dirname, '../..');
const command = join(root, 'src/main/cli/index.ts');

const { values: args, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string' },
    model: { type: 'string' },
    workspace: { type: 'string', default: join(root, 'build/evidence') },
    list: { type: 'boolean' },
  },
});

const workspace = resolve(args.workspace);

interface Job {
  readonly task: string;
  readonly seed: number;
}

function missing(task: string): Job[] {
  const written: unknown = parseDocument(readExperiment(task)).toJS().seeds;
  const seeds = args.seeds?.split(',').map(Number) ?? (written as number[]);
  const have = new Set(readKept(task)?.seeds.map(({ seed }) => seed));
  return seeds.filter((seed) => !have.has(seed)).map((seed) => ({ task, seed }));
}

/** A workspace with the environments that ship, those of the studies over them, and the model. */
function prepareWorkspace(): void {
  mkdirSync(join(workspace, 'experiments'), { recursive: true });
  mkdirSync(join(workspace, 'models'), { recursive: true });
  const environments = join(workspace, 'environments');
  cpSync(join(root, 'resources/environments'), environments, { recursive: true });
  const own = join(experimentFolder, 'environments');
  if (existsSync(own)) cpSync(own, environments, { recursive: true });
  if (args.model !== undefined) {
    const link = join(workspace, 'models', basename(args.model));
    rmSync(link, { force: true });
    symlinkSync(resolve(args.model), link);
  }
}

/**
 * The experiment with one seed, and the commit that it begins at. Its name tells its text apart from earlier ones, which would
 * otherwise be taken up again in its place.
 */
function writeExperiment({ task, seed }: Job): { readonly path: string; readonly begunAt: string } {
  const path = `experiments/${task}-${hashExperiment(task).slice(0, 8)}-seed-${seed}.yaml`;
  const file = join(workspace, path);
  if (!existsSync(file)) {
    const document = parseDocument(readExperiment(task));
    document.set('seeds', [seed]);
    writeFileSync(file, `${begun}${commit || 'unknown'}\n${document}`);
  }
  const [first = ''] = readFileSync(file, 'utf8').split('\n');
  return { path, begunAt: first.slice(begun.length) };
}

const begun = '# Begun at commit ';

function findStudy(experimentPath: string): string | null {
  if (!existsSync(join(workspace, '.gymwright'))) return null;
  const store = openStore(workspace, { readOnly: true });
  try {
    return store.studies.list().find((study) => study.experimentPath === experimentPath)?.studyId ?? null;
  } finally {
    store.close();
  }
}

function reportOf(studyId: string): ReportView {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [command, 'runs', 'report', studyId, '--json', '--workspace', workspace],
    { encoding: 'utf8', maxBuffer: 1e9 },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout).reports[0];
}

async function measure({ task, seed }: Job): Promise<void> {
  const { path: experimentPath, begunAt } = writeExperiment({ task, seed });
  const before = findStudy(experimentPath);
  const started = performance.now();
  const log = openSync(join(workspace, `${task}-seed-${seed}.log`), 'a');
  const child = spawn(
    process.execPath,
    [
      command,
      'run',
      experimentPath,
      '--workspace',
      workspace,
      ...(before === null ? [] : ['--resume', before]),
    ],
    { stdio: ['ignore', log, log] },
  );
  const [code] = await once(child, 'exit');
  const studyId = findStudy(experimentPath);
  if (code !== 0 || studyId === null) {
    throw new Error(`${task}, seed ${seed}: exit code ${code}; see ${task}-seed-${seed}.log in ${workspace}`);
  }
  const minutes = Math.round((performance.now() - started) / 6e3) / 10;
  const report = reportOf(studyId);
  const store = openStore(workspace, { readOnly: true });
  try {
    const { metric, group, better } = report.objective;
    keepSeed(
      task,
      { experiment: hashExperiment(task), metric, group, better },
      {
        seed,
        commit: begunAt,
        cpu: os.cpus()[0]?.model ?? 'unknown',
        minutes: before === null ? minutes : null,
        modelHash,
        runs: keptRuns(store, report),
      },
    );
  } finally {
    store.close();
  }
  console.log(`${task}, seed ${seed}: ${minutes} minutes`);
}

const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
  cwd: root,
  encoding: 'utf8',
}).stdout?.trim();

const modelHash =
  args.model === undefined ? null : createHash('sha256').update(readFileSync(args.model)).digest('hex');

const jobs = (asked.length > 0 ? asked : listTasks()).flatMap(missing);
if (args.list) for (const { task, seed } of jobs) console.log(`${task}, seed ${seed}`);
else if (jobs.length > 0) {
  prepareWorkspace();
  const isWritten = jobs.some(({ task }) => readExperiment(task).includes('model: weight-writer'));
  const writer = isWritten ? await serveWeights() : null;
  for (const job of jobs) await measure(job);
  writer?.close();
}
