/**
 * Measures what the documentation says of learning: every case of `cases.ts` over five seeds, each in a process of its own. What is kept in
 * `bench/results/learning` is not measured again, so that it can be stopped and started at any time; it takes hours.
 *
 *   npx node bench/learning/measure.ts [CASE...] [--seeds 1,2,3,4,5] [--jobs 1] [--list]
 *
 * `npm run generate` then writes the tables of docs/learners/results.md.
 */
import { spawn } from 'node:child_process';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { sha256 } from '../../src/engine/files/index.ts';
import { publishedCases } from './cases.ts';
import { isOf, keepSeed, readKept } from './results.ts';
import { configOf, type LearningCase, type SeedResult, trainedText, trainSeed } from './train-seed.ts';

const { values: args, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '1,2,3,4,5' },
    jobs: { type: 'string', default: '1' },
    list: { type: 'boolean' },
    /** What a process of one seed is started with. */
    'one-seed': { type: 'string' },
  },
});

interface Job {
  readonly name: string;
  readonly seed: number;
}

/** Everything that decides the numbers, but the code. */
function settingsOf(learningCase: LearningCase): unknown {
  const { preset, scenario, trainedIn, parameters, opponents, group, metric, steps, every, episodes } =
    learningCase;
  const config = configOf(learningCase);
  return {
    preset,
    config,
    scenario,
    trainedIn,
    ...(trainedIn !== undefined && { text: sha256(trainedText(trainedIn)) }),
    parameters,
    opponents,
    group,
    metric,
    steps,
    every,
    episodes,
  };
}

function caseOf(name: string) {
  const found = publishedCases[name];
  if (found === undefined) {
    throw new Error(`no case ${name}; there are ${Object.keys(publishedCases).join(', ')}`);
  }
  return found;
}

const seeds = args.seeds.split(',').map(Number);

function missing(name: string): Job[] {
  const kept = readKept(name);
  const have = isOf(settingsOf(caseOf(name)), kept) ? kept.seeds.map(({ seed }) => seed) : [];
  return seeds.filter((seed) => !have.includes(seed)).map((seed) => ({ name, seed }));
}

/** Trains a seed in a process of its own and keeps what came of it. */
function measureApart({ name, seed }: Job): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [import.meta.filename, name, '--one-seed', String(seed)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code !== 0) {
        reject(new Error(`${name}, seed ${seed}: exit code ${code}`));
        return;
      }
      keepSeed(name, settingsOf(caseOf(name)), {
        ...(JSON.parse(output) as SeedResult),
        cpu: os.cpus()[0]?.model ?? 'unknown',
      });
      resolve();
    });
  });
}

async function measureAll(jobs: readonly Job[]): Promise<void> {
  const left = [...jobs];
  const worker = async () => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) await measureApart(job);
  };
  await Promise.all(Array.from({ length: Number(args.jobs) }, worker));
}

if (args['one-seed'] !== undefined) {
  const [name = ''] = asked;
  const seed = Number(args['one-seed']);
  const result = await trainSeed(caseOf(name), seed, (step, score) =>
    process.stderr.write(`${name}, seed ${seed}: ${score} at ${(step / 1e6).toFixed(2)} M\n`),
  );
  process.stdout.write(JSON.stringify(result));
} else {
  const jobs = (asked.length > 0 ? asked : Object.keys(publishedCases)).flatMap(missing);
  if (args.list) for (const { name, seed } of jobs) console.log(`${name}, seed ${seed}`);
  else await measureAll(jobs);
}
