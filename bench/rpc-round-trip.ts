// Round trips of the contract: in process, and over the private socket to an engine in a process of its own.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createSampleWorkspace, openEngine } from '../src/engine/rpc/index.ts';
import type { Client } from '../src/shared/contract/index.ts';
import { type Figure, median, printReport } from './figure.ts';

const warmUp = 200;
const trips = 1000;

async function measure(client: Client): Promise<{ median: number; p99: number }> {
  const times: number[] = [];
  for (let trip = 0; trip < warmUp + trips; trip += 1) {
    const started = performance.now();
    await client.engine.status({});
    if (trip >= warmUp) times.push(1000 * (performance.now() - started));
  }
  const sorted = times.sort((a, b) => a - b);
  return { median: median(sorted), p99: sorted[Math.floor(0.99 * sorted.length)] ?? 0 };
}

function figuresOf(name: string, { median: middle, p99 }: { median: number; p99: number }): Figure[] {
  return [
    { name: `${name}, median`, value: middle, unit: 'µs' },
    { name: `${name}, 99th percentile`, value: p99, unit: 'µs' },
  ];
}

/** An engine that holds the workspace until its stdin closes. */
const holder = `
  import { openEngine } from './src/engine/rpc/index.ts';
  const engine = await openEngine({ root: process.argv[1] });
  process.stdout.write('ready');
  process.stdin.resume().on('end', () => engine.close());`;

async function measureRemote(root: string): Promise<{ median: number; p99: number }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', holder, root], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const session = await openEngine({ root });
  try {
    if (!session.isRemote) throw new Error('the other engine did not take the workspace');
    return await measure(session.client);
  } finally {
    await session.close();
    child.stdin.end();
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

const root = mkdtempSync(path.join(os.tmpdir(), 'gymwright-bench-'));
try {
  createSampleWorkspace(root);
  const engine = await openEngine({ root });
  const inProcess = await measure(engine.client);
  await engine.close();
  const remote = await measureRemote(root);
  printReport({ figures: [...figuresOf('in process', inProcess), ...figuresOf('private socket', remote)] });
} finally {
  rmSync(root, { recursive: true, force: true });
}
