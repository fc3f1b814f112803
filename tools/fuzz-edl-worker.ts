/**
 * One process of tools/fuzz-edl.ts: takes every n-th text from a seed on. Before each text its seed is written to a file,
 * so that whoever finds this process dead or stuck knows which text did it.
 */
import { openSync, writeSync } from 'node:fs';
import { cpuMs } from '../test/support/cpu-time.ts';
import { cachedHost, fuzzCase, longestMs } from '../test/support/edl-fuzz/fuzz-case.ts';
import { FuzzTexts } from '../test/support/edl-fuzz/texts.ts';

export interface WorkerReport {
  readonly type: 'progress' | 'failure' | 'done';
  readonly cases: number;
  readonly ran: number;
  readonly slowestMs: number;
  readonly failure?: { readonly seed: number; readonly reason: string };
}

const [first = 0, stride = 1, count = 0, seconds = 0] = process.argv.slice(2, 6).map(Number);
const progress = openSync(process.argv[6] ?? '', 'w');
const slowMs = longestMs * Number(process.argv[7] ?? 1);

const texts = new FuzzTexts();
const host = cachedHost();
const word = Buffer.alloc(8);
const started = performance.now();
let cases = 0;
let ran = 0;
let slowestMs = 0;

function send(report: Pick<WorkerReport, 'type' | 'failure'>): void {
  process.send?.({ cases, ran, slowestMs, ...report } satisfies WorkerReport);
}

function runCase(seed: number): void {
  word.writeDoubleLE(seed);
  writeSync(progress, word, 0, 8, 0);
  const text = texts.textOf(seed);
  let reason: string | null = null;
  const tookMs = cpuMs(() => {
    try {
      if (fuzzCase(text, seed, host) === 'ran') ran++;
    } catch (thrown) {
      reason = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    }
  });
  slowestMs = Math.max(slowestMs, tookMs);
  cases++;
  if (tookMs > slowMs) reason ??= `took ${Math.round(tookMs)} ms of processor time`;
  if (reason !== null) send({ type: 'failure', failure: { seed, reason } });
}

/** In slices, so that messages leave in between. */
function runSlice(seed: number): void {
  let next = seed;
  for (let i = 0; i < 200; i++, next += stride) {
    const isOver = seconds > 0 && performance.now() - started > 1000 * seconds;
    if (next >= count || isOver) {
      send({ type: 'done' });
      process.disconnect?.();
      return;
    }
    runCase(next);
  }
  send({ type: 'progress' });
  setImmediate(runSlice, next);
}

runSlice(first);
