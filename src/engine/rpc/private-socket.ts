import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createChannelTransport } from '../../shared/contract/channel.ts';
import type { Transport } from '../../shared/contract/transport.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { makeFolder, sha256 } from '../files/index.ts';
import { dataFolder } from '../store/index.ts';
import { isToken } from './is-token.ts';
import { packetChannel } from './packet-stream.ts';
import { type Served, serveChannel } from './serve-channel.ts';

/** sun_path holds 108 bytes on Linux and 104 on macOS, the final zero included. */
const maxSocketPathBytes = 103;
/** How long the other side is given to close, too. */
const closingMs = 200;

/**
 * Where the engine of this workspace listens; others read it from the lease. A path too long for a socket gives one in a
 * private temporary folder. Anyone may open a pipe of any name before us, so its name is one that nobody can foresee.
 */
export function endpointOf(
  root: string,
  token: string,
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform === 'win32') return `\\\\.\\pipe\\gymwright-${sha256(`${root}\n${token}`).slice(0, 32)}`;
  const hash = sha256(root).slice(0, 16);
  const path = join(root, dataFolder, 'engine.sock');
  if (Buffer.byteLength(path) <= maxSocketPathBytes) return path;
  return join(tmpdir(), `gymwright-${userInfo().uid}`, `${hash}.sock`);
}

export interface PrivateSocket {
  readonly endpoint: string;
  close(): Promise<void>;
}

/**
 * Serves an engine to processes of the same user: the socket has mode 0600 and the first message must be the lease's token, which
 * only those who can read the workspace know. The caller holds the lease, so a socket file that is there is left over.
 */
export async function listenPrivately(root: string, token: string, served: Served): Promise<PrivateSocket> {
  const endpoint = endpointOf(root, token);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    greet(socket, token, served);
  });
  await bind(server, endpoint, !endpoint.startsWith(join(root, dataFolder)));
  return {
    endpoint,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.end();
        setTimeout(() => destroyAll(sockets), closingMs).unref();
      }),
  };
}

function destroyAll(sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) socket.destroy();
}

/** Inside the workspace its permissions decide; in the shared temporary directory someone else could answer in our name. */
function prepareFolder(folder: string, isShared: boolean): void {
  makeFolder(folder, 0o700);
  if (!isShared) return;
  const stats = lstatSync(folder);
  const isOurs = stats.isDirectory() && stats.uid === userInfo().uid && (stats.mode & 0o022) === 0;
  if (isOurs) return;
  throw new AppError(
    'engine.unavailable',
    `${folder} belongs to someone else or can be written by others: take away their right to write, or set TMPDIR to a folder of your own, then start again`,
    {
      data: { folder },
    },
  );
}

function bind(server: Server, endpoint: string, isShared: boolean): Promise<void> {
  const isPipe = endpoint.startsWith('\\\\');
  if (!isPipe) {
    prepareFolder(join(endpoint, '..'), isShared);
    rmSync(endpoint, { force: true });
  }
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        new AppError('engine.unavailable', `${endpoint} cannot be listened on: ${error.message}`, {
          cause: error,
          data: { endpoint },
        }),
      );
    });
    const mask = process.umask(0o177);
    server.listen(endpoint, () => {
      if (!isPipe) chmodSync(endpoint, 0o600);
      resolve();
    });
    process.umask(mask);
  });
}

/** The first message decides: the right token opens the channel, anything else closes the socket. */
function greet(socket: Socket, token: string, served: Served): void {
  const channel = packetChannel(
    socket,
    () => new AppError('rpc.disconnected', 'the other side closed the connection'),
  );
  socket.on('error', () => socket.destroy());
  let isOpen = false;
  const listeners = new Set<(message: unknown) => void>();
  channel.onMessage((message) => {
    if (isOpen) for (const listener of listeners) listener(message);
    else if (isGreeting(message, token)) {
      isOpen = true;
      channel.send({ kind: 'welcome' });
      serveChannel({ ...channel, onMessage: (listener) => void listeners.add(listener) }, served);
    } else refuse(channel.send, socket);
  });
}

function refuse(send: (message: unknown) => void, socket: Socket): void {
  const error = new AppError(
    'rpc.unauthorized',
    'the private socket needs the token of the workspace; connect through the `gymwright` command',
  );
  send({ kind: 'response', id: null, ok: false, error: error.toPayload() });
  socket.end();
}

function isGreeting(message: unknown, token: string): boolean {
  return (
    typeof message === 'object' &&
    message !== null &&
    'token' in message &&
    typeof message.token === 'string' &&
    isToken(message.token, token)
  );
}

/**
 * Connects to a live engine; given up when `signal` aborts before it greets back. Rejects with rpc.disconnected (nobody listens,
 * given up) or rpc.unauthorized (wrong token).
 */
export function connectSocket(
  endpoint: string,
  token: string,
  signal?: AbortSignal,
): Promise<{ transport: Transport; close: () => void }> {
  const socket = createConnection(endpoint);
  let reason = new AppError('rpc.disconnected', `the engine at ${endpoint} closed the connection`, {
    data: { endpoint },
  });
  socket.on('error', (error) => {
    reason = new AppError('rpc.disconnected', `no engine answers at ${endpoint} (${error.message})`, {
      cause: error,
      data: { endpoint },
    });
  });
  const channel = packetChannel(socket, () => reason);
  return new Promise((resolve, reject) => {
    let isWelcome = false;
    // A process that is stopped still has its connections accepted, by the system, and never says a word.
    const giveUp = (): void => void socket.destroy();
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted) giveUp();
    channel.onClose((closed) => {
      if (!isWelcome) reject(closed);
    });
    channel.onMessage((message) => {
      if (isWelcome) return;
      isWelcome = true;
      signal?.removeEventListener('abort', giveUp);
      const close = (): void => {
        channel.close();
        // The other side may be stopped, and never close its own.
        setTimeout(() => socket.destroy(), closingMs).unref();
      };
      if (isWelcoming(message)) resolve({ transport: createChannelTransport(channel), close });
      else
        reject(
          new AppError('rpc.unauthorized', `the engine at ${endpoint} refused the token of this workspace`, {
            data: { endpoint },
          }),
        );
    });
    channel.send({ kind: 'greeting', token });
  });
}

function isWelcoming(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'welcome';
}
