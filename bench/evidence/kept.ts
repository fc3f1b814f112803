import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Where the studies are written down, and the environments that only they use. */
export const experimentFolder = join(root, 'experiments/evidence');

/** How far the coach of one arm came with one seed. */
export interface KeptFunnel {
  readonly asked: number;
  readonly parsed: number;
  readonly valid: number;
  readonly tried: number;
  readonly accepted: number;
  readonly improved: number;
}

/** What is left of a finished run. */
export interface KeptRun {
  readonly arm: string;
  readonly provider: string;
  /** File name of the model; null where there is none. */
  readonly model: string | null;
  /** At the end, on the objective's environment. */
  readonly objective: number;
  /** Share of the objective's episodes that were solved at the end, where the objective is another metric and the scenario knows it. */
  readonly solved?: number;
  readonly chargedSteps: number;
  /** Without trials. */
  readonly ownSteps: number;
  readonly parameterHash: string;
  /** Null where nobody was asked. */
  readonly proposals: KeptFunnel | null;
  /** Declarations of the environment at the end. */
  readonly declarations: number;
  /** By environment, at the end. */
  readonly heldOut: Readonly<Record<string, number>>;
  /** The objective against charged steps. */
  readonly curve: readonly (readonly [step: number, score: number])[];
}

/** All arms of one seed: they ran side by side, as a study of their own. */
export interface KeptSeed {
  readonly seed: number;
  /** Where it began. */
  readonly commit: string;
  readonly cpu: string;
  /** By the clock, with other work on the machine; null where it was interrupted. */
  readonly minutes: number | null;
  /** SHA-256 of the model file; null where none was given. */
  readonly modelHash: string | null;
  readonly runs: readonly KeptRun[];
}

/** A study's file in `docs/evidence/runs/`. */
export interface KeptStudy {
  /** SHA-256 of the experiment and of the environments beside it: results of others are measured anew. */
  readonly experiment: string;
  readonly metric: string;
  readonly group: string;
  readonly better: 'higher' | 'lower';
  readonly seeds: readonly KeptSeed[];
}

const fileOf = (task: string): string => join(root, 'docs/evidence/runs', `${task}.json`);

/** Names of the studies that are written down. */
export function listTasks(): string[] {
  return readdirSync(experimentFolder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}

export function readExperiment(task: string): string {
  return readFileSync(join(experimentFolder, `${task}.yaml`), 'utf8');
}

/**
 * What decides the numbers, apart from code: the experiment and the environments it names, those they extend included. Comments
 * and the list of seeds do not enter, so that words can be mended and seeds be added.
 */
export function hashExperiment(task: string): string {
  const hash = createHash('sha256');
  const seen = new Set<string>();
  const add = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const own = join(experimentFolder, 'environments', file);
    const text = readFileSync(existsSync(own) ? own : join(root, 'resources/environments', file), 'utf8');
    hash.update(`${file}\n${text}`);
    for (const [, base] of text.matchAll(/extends\s+"([^"]+)"/g)) add(base ?? '');
  };
  const experiment = readExperiment(task)
    .replace(/(^|\s)#.*$/gm, '')
    .replace(/^seeds:.*$/m, '')
    .replace(/\s+/g, ' ')
    .trim();
  hash.update(experiment);
  for (const [, file] of experiment.matchAll(/environments\/([\w-]+\.edl)/g)) add(file ?? '');
  return hash.digest('hex');
}

/** Null where nothing was measured of the study as it is written down now. */
export function readKept(task: string): KeptStudy | null {
  const file = fileOf(task);
  if (!existsSync(file)) return null;
  const kept = JSON.parse(readFileSync(file, 'utf8')) as KeptStudy;
  return kept.experiment === hashExperiment(task) ? kept : null;
}

/** Adds a seed, in place of an earlier one; what was measured of an earlier text of the study is dropped. */
export function keepSeed(task: string, study: Omit<KeptStudy, 'seeds'>, seed: KeptSeed): void {
  const others = (readKept(task)?.seeds ?? []).filter((each) => each.seed !== seed.seed);
  const seeds = [...others, seed].sort((a, b) => a.seed - b.seed);
  const file = fileOf(task);
  mkdirSync(dirname(file), { recursive: true });
  const rows = seeds.map(({ runs, ...rest }) => {
    const head = JSON.stringify(rest).slice(0, -1);
    return `    ${head}, "runs": [\n${runs.map((run) => `      ${JSON.stringify(run)}`).join(',\n')}\n    ]}`;
  });
  const head = JSON.stringify(study).slice(0, -1);
  writeFileSync(file, `${head}, "seeds": [\n${rows.join(',\n')}\n  ]\n}\n`);
}
