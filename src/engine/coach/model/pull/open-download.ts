import { AppError } from '../../../../shared/std/app-error.ts';

/** An open answer of a server, from byte `start` of the file on. */
export interface Download {
  /** 0 where the server does not go on from where it was asked to. */
  readonly start: number;
  /** Size of the whole file; null where the server does not say it. */
  readonly totalBytes: number | null;
  chunks(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

export interface DownloadOptions {
  readonly signal: AbortSignal;
  readonly idleMs?: number;
}

/** Redirects followed at most: a hub sends to its store, a store to a mirror. */
const maxRedirects = 5;

/**
 * Asks for a file from a byte on. Redirects are followed to https only (a loopback server may also stay where it is).
 *
 * Throws: input.invalid, input.notFound, model.timeout where it is worth another attempt.
 */
export async function openDownload(url: string, from: number, options: DownloadOptions): Promise<Download> {
  const watch = new IdleWatch(options);
  let response: Response | undefined;
  try {
    response = await request(requireWebUrl(url), from, watch.signal);
    if (response.status === 416) return await complete(response, from, watch);
    requireOk(response, url);
    if (response.status === 206 && rangeStart(response) !== from) {
      await close(response, watch);
      return await openAnew(url, from, options);
    }
    return taken(response, from, watch);
  } catch (thrown) {
    const isIdle = watch.isIdle;
    await close(response, watch);
    if (isIdle) throw silent(options.idleMs);
    throw thrown;
  }
}

/** A server that sends other bytes than it was asked for cannot go on; from the start on, nobody asks for a range. */
async function openAnew(url: string, from: number, options: DownloadOptions): Promise<Download> {
  if (from > 0) return openDownload(url, 0, options);
  throw new AppError(
    'input.invalid',
    `${new URL(url).origin} was asked for the whole file and sends a part of it; it cannot be had from there`,
  );
}

function taken(response: Response, from: number, watch: IdleWatch): Download {
  const start = response.status === 206 ? from : 0;
  return {
    start,
    totalBytes: totalOf(response, start),
    chunks: () => watched(response, watch),
    close: () => close(response, watch),
  };
}

/** Throws: input.invalid unless it is http or https, and http only where the traffic stays on the machine. */
function requireWebUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw new AppError('input.invalid', `"${text}" is no address; it begins with https://`);
  if (url.username !== '' || url.password !== '')
    throw new AppError('input.invalid', 'the address holds a name or password; leave them out');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return url;
  throw new AppError('input.invalid', `${siteOf(url)} is not https; models are pulled over https only`);
}

/** A file's address, for one, has no origin. */
function siteOf({ origin, protocol, host }: URL): string {
  return origin === 'null' ? `${protocol}//${host}` : origin;
}

/** Whether a host name of a URL is this very machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

async function request(first: URL, from: number, signal: AbortSignal): Promise<Response> {
  let url = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    // Ranges count bytes of the file itself, so it must not come compressed.
    const headers = { 'accept-encoding': 'identity', ...(from > 0 ? { range: `bytes=${from}-` } : {}) };
    const response = await fetch(url.href, { headers, redirect: 'manual', signal });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    const next = URL.parse(location, url.href);
    const stays = next !== null && next.protocol === 'http:' && next.origin === url.origin;
    if (next === null || (next.protocol !== 'https:' && !stays))
      throw new AppError(
        'input.invalid',
        `${url.origin} sends on to ${next === null ? 'no address' : siteOf(next)}, which is not https; the file was not pulled`,
      );
    url = next;
  }
  throw new AppError('input.invalid', `${first.origin} sends on more than ${maxRedirects} times`);
}

function requireOk(response: Response, url: string): void {
  const { status } = response;
  if (status === 200 || status === 206) return;
  const { origin, pathname } = new URL(url);
  const message = `${origin}${pathname} answers ${status} ${response.statusText}`.trimEnd();
  if (status === 404 || status === 410) throw new AppError('input.notFound', `${message}; check the address`);
  if (status === 429 || status >= 500) throw new AppError('model.timeout', message);
  throw new AppError(
    'input.invalid',
    `${message}; the file cannot be had without signing in, or not from here`,
  );
}

/** There is nothing from that byte on: what is there may be the whole file. */
async function complete(response: Response, from: number, watch: IdleWatch): Promise<Download> {
  await close(response, watch);
  const total = /^bytes \*\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  return {
    start: from,
    totalBytes: total === undefined ? from : Number(total),
    async *chunks() {},
    close: async () => {},
  };
}

/** Null where the server does not say which bytes it sends. */
function rangeStart(response: Response): number | null {
  const start = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
  return start === undefined ? null : Number(start);
}

function totalOf(response: Response, start: number): number | null {
  const ranged = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  if (ranged !== undefined) return Number(ranged);
  const length = response.headers.get('content-length');
  return length === null || !/^\d+$/.test(length) ? null : start + Number(length);
}

async function* watched(response: Response, watch: IdleWatch): AsyncIterable<Uint8Array> {
  if (response.body === null) return;
  try {
    for await (const chunk of response.body) {
      watch.touch();
      yield chunk;
    }
  } catch (cause) {
    if (watch.isIdle) throw silent(watch.idleMs);
    throw cause;
  }
}

async function close(response: Response | undefined, watch: IdleWatch): Promise<void> {
  watch.stop();
  if (response?.body?.locked === false) await response.body.cancel().catch(() => {});
}

function silent(idleMs = defaultIdleMs): AppError {
  return new AppError('model.timeout', `the server sent nothing for ${Math.round(idleMs / 1000)} s`);
}

const defaultIdleMs = 30_000;

/** Aborts when nothing comes for a while, or when the caller does. */
class IdleWatch {
  readonly idleMs: number;
  readonly #controller = new AbortController();
  readonly signal: AbortSignal;
  #timer: NodeJS.Timeout;
  isIdle = false;

  constructor({ signal, idleMs = defaultIdleMs }: DownloadOptions) {
    this.idleMs = idleMs;
    this.signal = AbortSignal.any([signal, this.#controller.signal]);
    this.#timer = this.#start();
  }

  touch(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #start(): NodeJS.Timeout {
    return setTimeout(() => {
      this.isIdle = true;
      this.#controller.abort();
    }, this.idleMs);
  }
}
