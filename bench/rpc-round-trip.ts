// Round trips of the contract: in process, over the private socket, a WebSocket and the relay's IPC to an engine in a
// process of its own; a small answer, and a 1 MB array each.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import {
  createSampleWorkspace,
  openEngine,
  relayTransport,
  serveWebSocket,
} from '../src/engine/rpc/index.ts';
import { forkEngine } from '../src/main/engine-process.ts';
import {
  connectWebSocket,
  decodeMessage,
  encodeMessage,
  type Transport,
  type WebSocketLike,
} from '../src/shared/contract/index.ts';
import { type Figure, median, printReport } from './figure.ts';

const warmUp = 200;
const trips = 1000;

async function measure(name: string, transport: Transport): Promise<Figure[]> {
  const times: number[] = [];
  for (let trip = 0; trip < warmUp + trips; trip += 1) {
    const started = performance.now();
    await transport.request('engine.status', {});
    if (trip >= warmUp) times.push(1000 * (performance.now() - started));
  }
  const sorted = times.sort((a, b) => a - b);
  return [
    { name: `${name}, median`, value: median(sorted), unit: 'µs' },
    { name: `${name}, 99th percentile`, value: sorted[Math.floor(0.99 * sorted.length)] ?? 0, unit: 'µs' },
  ];
}

/** An engine that holds the workspace until its stdin closes. */
const holder = `
  import { openEngine } from './src/engine/rpc/index.ts';
  const engine = await openEngine({ root: process.argv[1] });
  process.stdout.write('ready');
  process.stdin.resume().on('end', () => engine.close());`;

async function withHolder(root: string, work: () => Promise<Figure[]>): Promise<Figure[]> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', holder, root], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  try {
    return await work();
  } finally {
    child.stdin.end();
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

async function measureSocket(root: string): Promise<Figure[]> {
  const { transport, isRemote, close } = await openEngine({ root });
  try {
    if (!isRemote) throw new Error('the other engine did not take the workspace');
    return [...(await measure('private socket', transport)), ...(await measureWebSocket(transport))];
  } finally {
    await close();
  }
}

/** As a browser meets it, but on top of the socket to the other process: the difference is the WebSocket's. */
async function measureWebSocket(transport: Transport): Promise<Figure[]> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = serveWebSocket(relayTransport(transport), {
    server,
    path: '/rpc',
    token: 'bench',
    hosts: [host],
  });
  const socket = new WebSocket(`ws://${host}/rpc`, ['gymwright', 'token.bench']);
  const figures = await measure(
    'WebSocket on top of it',
    await connectWebSocket(socket as unknown as WebSocketLike),
  );
  close();
  server.close();
  return figures;
}

async function measureFork(root: string): Promise<Figure[]> {
  const engine = await forkEngine({ root, entry: path.resolve('src/main/engine.ts') });
  try {
    return await measure('IPC of a forked engine', engine);
  } finally {
    await engine.close();
  }
}

/** Coding a message that carries 1 MB of Float64Array, without the transport. */
function measureCodec(): Figure {
  const message = { kind: 'response', id: 1, ok: true, value: { steps: new Float64Array(131_072) } };
  const times = Array.from({ length: 200 }, () => {
    const started = performance.now();
    decodeMessage(encodeMessage(message));
    return 1000 * (performance.now() - started);
  });
  return { name: 'codec, 1 MB array there and back, median', value: median(times), unit: 'µs' };
}

const root = mkdtempSync(path.join(os.tmpdir(), 'gymwright-bench-'));
try {
  createSampleWorkspace(root);
  const engine = await openEngine({ root });
  const inProcess = await measure('in process', engine.transport);
  await engine.close();
  const remote = await withHolder(root, () => measureSocket(root));
  printReport({ figures: [...inProcess, ...remote, ...(await measureFork(root)), measureCodec()] });
} finally {
  rmSync(root, { recursive: true, force: true });
}
