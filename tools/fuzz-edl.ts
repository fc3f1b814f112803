/**
 * Takes mutated environments through parser, checker, lowering, verifier and twenty native steps.
 *
 *   node tools/fuzz-edl.ts [--count 1000000] [--seconds 300] [--seed 0] [--workers 2] [--text SEED]
 *     [--sanitize]
 *
 * Texts are drawn by number: seed, seed + 1, and so on, until `count` texts or `seconds` are over. Each worker is a process of its
 * own. A text that takes more than a second of processor time is told; a worker that dies, or is stuck over one text for
 * twenty seconds, is ended, its text is told, and it goes on behind it.
 * `--text` prints a text and what becomes of it, in this process. `--sanitize` builds the simulator with address and
 * undefined-behaviour sanitizers and runs against that (GCC on Linux). Exits with 1 when there was any failure.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cpuMs } from '../test/support/cpu-time.ts';
import { cachedHost, fuzzCase } from '../test/support/edl-fuzz/fuzz-case.ts';
import { FuzzTexts } from '../test/support/edl-fuzz/texts.ts';
import type { WorkerReport } from './fuzz-edl-worker.ts';
import { plainBuild, sanitizedBuild, type WorkerBuild } from './sanitized-build.ts';

const hangMs = 20_000;
const maxShown = 20;

interface Options {
  readonly first: number;
  readonly count: number;
  readonly seconds: number;
  readonly workers: number;
  readonly build: WorkerBuild;
}

interface Totals {
  cases: number;
  ran: number;
  slowestMs: number;
  failures: number;
}

/** One worker and its watchdog: restarted behind the text that ended it. */
class Lane {
  readonly #options: Options;
  readonly #number: number;
  readonly #file: string;
  readonly #totals: Totals;
  readonly #deadline: number;

  constructor(options: Options, number: number, folder: string, totals: Totals) {
    this.#options = options;
    this.#number = number;
    this.#file = join(folder, `lane-${number}`);
    this.#totals = totals;
    this.#deadline = options.seconds > 0 ? performance.now() + 1000 * options.seconds : Infinity;
  }

  async run(): Promise<void> {
    let next: number | null = this.#options.first + this.#number;
    while (next !== null && performance.now() < this.#deadline) next = await this.#runFrom(next);
  }

  /** Seed to go on with, or null when the lane is through. */
  #runFrom(first: number): Promise<number | null> {
    const { workers, count, seconds } = this.#options;
    const left = seconds > 0 ? Math.max(0.001, (this.#deadline - performance.now()) / 1000) : 0;
    rmSync(this.#file, { force: true });
    const args = [
      first,
      workers,
      this.#options.first + count,
      left,
      this.#file,
      this.#options.build.slowdown,
    ].map(String);
    const { script, execArgv, env, slowdown } = this.#options.build;
    const child = fork(script, args, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [...execArgv],
      env,
    });
    let complaint = '';
    child.stderr?.on('data', (data: Buffer) => {
      complaint = (complaint + data.toString()).slice(-4000);
    });
    let isDone = false;
    let last = { cases: 0, ran: 0 };
    child.on('message', (report: WorkerReport) => {
      this.#totals.cases += report.cases - last.cases;
      this.#totals.ran += report.ran - last.ran;
      this.#totals.slowestMs = Math.max(this.#totals.slowestMs, report.slowestMs);
      last = report;
      isDone ||= report.type === 'done';
      if (report.failure !== undefined) this.#tell(report.failure.seed, report.failure.reason);
    });
    const watchdog = this.#watch(child, slowdown);
    return new Promise((resolve, reject) => {
      child.on('exit', (code, signal) => {
        clearInterval(watchdog);
        if (isDone) return resolve(null);
        const seed = this.#seedNow();
        const end = `the process ended with ${signal ?? `code ${code}`}\n${complaint}`;
        if (seed === null) return reject(new Error(`no text was tried: ${end}`));
        this.#tell(seed, end);
        resolve(seed + workers);
      });
    });
  }

  #watch(child: ChildProcess, slowdown: number): NodeJS.Timeout {
    let seed: number | null = null;
    let since = performance.now();
    return setInterval(() => {
      const now = this.#seedNow();
      if (now !== seed || now === null) {
        seed = now;
        since = performance.now();
      } else if (performance.now() - since > hangMs * slowdown) {
        child.kill('SIGKILL');
      }
    }, 250);
  }

  #seedNow(): number | null {
    try {
      const bytes = readFileSync(this.#file);
      return bytes.length < 8 ? null : bytes.readDoubleLE();
    } catch {
      return null;
    }
  }

  #tell(seed: number, reason: string): void {
    if (++this.#totals.failures > maxShown) return;
    const text = new FuzzTexts().textOf(seed);
    console.log(`\nseed ${seed}: ${reason}\n----\n${text.slice(0, 4000)}\n----`);
  }
}

function showText(seed: number): number {
  const text = new FuzzTexts().textOf(seed);
  console.log(text);
  const host = cachedHost();
  const took = cpuMs(() => console.log(fuzzCase(text, seed, host)));
  console.log(`${took.toFixed(1)} ms of processor time`);
  return 0;
}

async function fuzz(options: Options): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gymwright-fuzz-'));
  const totals: Totals = { cases: 0, ran: 0, slowestMs: 0, failures: 0 };
  const started = performance.now();
  const rate = (): string => `${Math.round((1000 * totals.cases) / (performance.now() - started))} texts/s`;
  const lanes = Array.from({ length: options.workers }, (_, i) => new Lane(options, i, folder, totals));
  const reporter = setInterval(() => {
    console.log(`${totals.cases} texts, ${totals.ran} ran, ${totals.failures} failures, ${rate()}`);
  }, 10_000);
  await Promise.all(lanes.map((lane) => lane.run()));
  clearInterval(reporter);
  rmSync(folder, { recursive: true });
  const share = ((100 * totals.ran) / Math.max(1, totals.cases)).toFixed(1);
  console.log(
    `${totals.cases} texts from seed ${options.first}: ${share} % ran, ${totals.failures} failures, slowest ${Math.round(totals.slowestMs)} ms, ${rate()}`,
  );
  return totals.failures > 0 ? 1 : 0;
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '0' },
    seed: { type: 'string', default: '0' },
    workers: { type: 'string', default: '2' },
    text: { type: 'string' },
    sanitize: { type: 'boolean', default: false },
  },
});

process.exitCode =
  values.text === undefined
    ? await fuzz({
        first: Number(values.seed),
        count: Number(values.count),
        seconds: Number(values.seconds),
        workers: Number(values.workers),
        build: values.sanitize ? sanitizedBuild('fuzz-edl-worker.ts') : plainBuild('fuzz-edl-worker.ts'),
      })
    : showText(Number(values.text));
