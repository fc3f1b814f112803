import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../../../shared/std/app-error.ts';
import { fileError } from '../../../files/index.ts';
import { type Download, openDownload } from './open-download.ts';

/** A model file to be got, and what is known of it beforehand. */
export interface PullRequest {
  readonly url: string;
  /** Where it goes; until it is whole and checked it is `<path>.part`. */
  readonly path: string;
  /** What the file's SHA-256 has to be, 64 hexadecimal digits. */
  readonly sha256: string;
  /** What its size has to be; null: as the server says. */
  readonly sizeBytes: number | null;
}

export interface PullProgress {
  readonly doneBytes: number;
  /** Null where the server does not say it. */
  readonly totalBytes: number | null;
}

export interface PullOptions {
  readonly signal: AbortSignal;
  /** Before anything is written, and after every chunk. */
  readonly onProgress?: (progress: PullProgress) => void;
  /** Silence of the server after which the connection is given up. Default 30 000. */
  readonly idleMs?: number;
  /** How often a cut connection is taken up again without any progress. Default 4. */
  readonly attempts?: number;
  /** Pause before the second attempt, doubled each time. Default 500. */
  readonly backOffMs?: number;
  /** Bytes free in a folder; default: what the system says. */
  readonly freeBytes?: (folder: string) => number;
  /** What is taken at most where nobody says how large the file is. Default 64 GiB. */
  readonly mostBytes?: number;
}

/** What was got, and how much of it now. */
export interface Pulled {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Bytes that came over the network this time; the others were there. */
  readonly receivedBytes: number;
}

/** Left free on the disk beside the file. */
const reserveBytes = 64 * 1024 * 1024;

/** More than single files of models have. */
const defaultMostBytes = 64 * 1024 ** 3;

/** How often room on the disk is looked at while a file of unknown size comes in. */
const lookEveryBytes = 4 * 1024 * 1024;

/**
 * Gets a model file. It has its name only once its SHA-256 is the one asked for; until then its beginning is kept beside it,
 * and the next pull goes on from there where the server can (else from the start).
 *
 * Throws: input.invalid, input.notFound, model.invalid (another hash or size), model.cancelled, model.timeout,
 * workspace.diskFull, workspace.unreadable.
 */
export async function pullModel(request: PullRequest, options: PullOptions): Promise<Pulled> {
  const { path, sha256 } = request;
  if (existsSync(path)) return alreadyThere(request, options.signal);
  const part = `${path}.part`;
  const receivedBytes = await receive(request, part, options);
  const hash = await hashOf(part, options.signal);
  if (hash !== sha256) {
    rmSync(part, { force: true });
    throw new AppError(
      'model.invalid',
      `what ${shown(request.url)} gave has the SHA-256 ${hash}, not ${sha256}; it was thrown away. ` +
        "Compare the hash with the publisher's, and pull again.",
      { data: { expected: sha256, actual: hash } },
    );
  }
  renameSync(part, path);
  return { path, sizeBytes: statSync(path).size, sha256, receivedBytes };
}

async function alreadyThere({ path, sha256 }: PullRequest, signal: AbortSignal): Promise<Pulled> {
  const hash = await hashOf(path, signal);
  if (hash === sha256) return { path, sizeBytes: statSync(path).size, sha256, receivedBytes: 0 };
  throw new AppError(
    'input.invalid',
    `${path} exists and is another file (SHA-256 ${hash}); choose another name with --out, or move it away`,
  );
}

/** Appends to the part file until it is complete; returns the bytes received. */
async function receive(request: PullRequest, part: string, options: PullOptions): Promise<number> {
  const { signal, attempts = 4, backOffMs = 500 } = options;
  let received = 0;
  for (let failed = 0; ; ) {
    const before = sizeOf(part);
    try {
      return received + (await continuePart(request, part, before, options));
    } catch (thrown) {
      if (signal.aborted) throw cancelled(request, part);
      if (thrown instanceof AppError && !isPassing(thrown)) throw thrown;
      const gained = Math.max(0, sizeOf(part) - before);
      received += gained;
      failed = gained > 0 ? 1 : failed + 1;
      if (failed >= attempts) throw lost(request, part, thrown);
      await pause(backOffMs * 2 ** (failed - 1), signal);
      if (signal.aborted) throw cancelled(request, part);
    }
  }
}

async function continuePart(
  request: PullRequest,
  part: string,
  have: number,
  options: PullOptions,
): Promise<number> {
  const download = await openDownload(request.url, have, options);
  try {
    const total = checkSize(request, download, part);
    if (total !== null && download.start === total) return 0;
    requireRoom(part, total === null ? 0 : total - download.start, options.freeBytes ?? freeBytesOf);
    options.onProgress?.({ doneBytes: download.start, totalBytes: total });
    return await append(download, part, total, options);
  } finally {
    await download.close();
  }
}

/** The size the file will have; the person's word counts, and the server's may not differ from it. */
function checkSize(
  { sizeBytes, url }: PullRequest,
  { totalBytes, start }: Download,
  part: string,
): number | null {
  const total = sizeBytes ?? totalBytes;
  if (sizeBytes !== null && totalBytes !== null && totalBytes !== sizeBytes)
    throw new AppError(
      'model.invalid',
      `${shown(url)} has ${totalBytes} bytes, not the ${sizeBytes} of --size; nothing was written`,
    );
  if (total === null || start <= total) return total;
  rmSync(part, { force: true });
  throw new AppError(
    'model.invalid',
    `${part} was longer (${start} bytes) than the file at ${shown(url)} (${total}); it was removed: pull again`,
  );
}

function requireRoom(part: string, missing: number, freeBytes: (folder: string) => number): void {
  const free = freeBytes(dirname(part));
  if (free >= missing + reserveBytes) return;
  throw new AppError(
    'workspace.diskFull',
    `${megabytes(missing)} are still to come and ${dirname(part)} has ${megabytes(free)} free (${megabytes(reserveBytes)} ` +
      'are left for others); free some, or name another place with --out',
    { data: { neededBytes: missing, freeBytes: free } },
  );
}

async function append(
  download: Download,
  part: string,
  total: number | null,
  { onProgress, freeBytes = freeBytesOf, mostBytes = defaultMostBytes }: PullOptions,
): Promise<number> {
  const descriptor = openPart(part, download.start === 0);
  let done = download.start;
  let looked = done;
  try {
    for await (const chunk of download.chunks()) {
      if (total !== null && done + chunk.length > total)
        throw new AppError('model.invalid', `the server sends more than the ${total} bytes it announced`);
      if (total === null && done + chunk.length > mostBytes) throw endless(part, mostBytes);
      if (total === null && done - looked >= lookEveryBytes) {
        requireRoom(part, chunk.length, freeBytes);
        looked = done;
      }
      writeAll(descriptor, chunk, part);
      done += chunk.length;
      onProgress?.({ doneBytes: done, totalBytes: total });
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  if (total !== null && done < total)
    throw new AppError('model.timeout', `the connection ended after ${done} of ${total} bytes`);
  return done - download.start;
}

/** Nothing of it is kept: it would be in the way of others. */
function endless(part: string, mostBytes: number): AppError {
  rmSync(part, { force: true });
  return new AppError(
    'model.invalid',
    `the server does not say how large the file is, and sent more than ${megabytes(mostBytes)}; it was thrown away. ` +
      'Give its size with --size if it is that large',
  );
}

function openPart(part: string, isFresh: boolean): number {
  try {
    return openSync(part, isFresh ? 'w' : 'a');
  } catch (cause) {
    throw fileError(cause, 'write', part);
  }
}

function writeAll(descriptor: number, chunk: Uint8Array, part: string): void {
  try {
    for (let offset = 0; offset < chunk.length; ) offset += writeSync(descriptor, chunk, offset);
  } catch (cause) {
    throw fileError(cause, 'write', part);
  }
}

async function hashOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal }))
      hash.update(chunk as Buffer);
  } catch (cause) {
    if (signal.aborted)
      throw new AppError('model.cancelled', `checking ${path} was cancelled; pull again to go on`);
    throw fileError(cause, 'read', path);
  }
  return hash.digest('hex');
}

/** Failures of the way, not of what was asked for: worth another attempt. */
function isPassing({ code }: AppError): boolean {
  return code === 'model.timeout';
}

function lost({ url }: PullRequest, part: string, cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AppError(
    'model.timeout',
    `${shown(url)} could not be read to its end (${why}); ${megabytes(sizeOf(part))} are kept, the same command goes on from there`,
    { cause },
  );
}

function cancelled({ path }: PullRequest, part: string): AppError {
  return new AppError(
    'model.cancelled',
    `pulling ${path} was cancelled; ${megabytes(sizeOf(part))} are kept in ${part}, the same command goes on from there`,
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Without what may be a secret: query and credentials. */
export function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, durationMs);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
