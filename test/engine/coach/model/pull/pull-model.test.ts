import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type PullOptions, pullModel } from '../../../../../src/engine/coach/model/pull/pull-model.ts';
import type { ErrorCode } from '../../../../../src/shared/std/app-error.ts';
import { rejectedBy } from '../../../../support/error-code.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const content = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, i) => (i * 31 + (i >> 8)) & 255));
const sha256 = createHash('sha256').update(content).digest('hex');

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.gguf`;
}

/** Answers ranges as servers of files do, and cuts each answer after `cutAfter` bytes. */
function fileServer(seen: string[], cutAfter = Number.POSITIVE_INFINITY): RequestListener {
  return (request, response) => {
    seen.push(request.headers.range ?? 'all');
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const rest = content.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': rest.length,
      ...(from > 0 ? { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` } : {}),
    });
    if (rest.length <= cutAfter) response.end(rest);
    else response.write(rest.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 20));
  };
}

/** Sends a file in chunks, and does not say how large it is. */
function withoutSize(file: Buffer): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { 'transfer-encoding': 'chunked' });
    response.end(file);
  };
}

async function failsWith(work: Promise<unknown>, code: ErrorCode): Promise<void> {
  expect((await rejectedBy(work)).code).toBe(code);
}

const quick = { backOffMs: 1, signal: new AbortController().signal };

function pull(
  url: string,
  options: Partial<PullOptions> = {},
  wanted: { sha256?: string; sizeBytes?: number } = {},
) {
  const path = join(temporaryFolder(), 'model.gguf');
  return {
    path,
    go: () => pullModel({ url, path, sha256, sizeBytes: null, ...wanted }, { ...quick, ...options }),
  };
}

describe('pullModel', () => {
  test('gets the file, tells its size before and what is done', async () => {
    const progress: unknown[] = [];
    const { path, go } = pull(await serve(fileServer([])), { onProgress: (each) => progress.push(each) });
    expect(await go()).toEqual({ path, sizeBytes: 300_000, sha256, receivedBytes: 300_000 });
    expect(readFileSync(path).equals(content)).toBe(true);
    expect(progress[0]).toEqual({ doneBytes: 0, totalBytes: 300_000 });
    expect(progress.at(-1)).toEqual({ doneBytes: 300_000, totalBytes: 300_000 });
  });

  test('goes on where the connection was cut, as often as it gets further', async () => {
    const seen: string[] = [];
    const { path, go } = pull(await serve(fileServer(seen, 40_000)), { attempts: 2 });
    expect((await go()).receivedBytes).toBe(300_000);
    expect(readFileSync(path).equals(content)).toBe(true);
    expect(seen.slice(0, 3)).toEqual(['all', 'bytes=40000-', 'bytes=80000-']);
  });

  test('begins anew where the server knows no ranges', async () => {
    const url = await serve((_request, response) => response.end(content));
    const { path, go } = pull(url);
    writeFileSync(`${path}.part`, 'something from another day');
    expect((await go()).receivedBytes).toBe(300_000);
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  test.each([
    ['other bytes than it was asked for', `bytes 7-${content.length - 1}/${content.length}`],
    ['bytes without saying which', null],
  ])('begins anew where the server sends %s', async (_what, range) => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(request.headers.range ?? 'all');
      if (request.headers.range === undefined) response.end(content);
      else response.writeHead(206, range === null ? {} : { 'content-range': range }).end(content.subarray(7));
    });
    const { path, go } = pull(url);
    writeFileSync(`${path}.part`, content.subarray(0, 1000));
    expect((await go()).receivedBytes).toBe(300_000);
    expect(seen).toEqual(['bytes=1000-', 'all']);
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  test('a redirect to a file is refused by what it is', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(302, { location: 'file:///etc/hosts' }).end(),
    );
    const error = await rejectedBy(pull(url).go());
    expect(error.code).toBe('input.invalid');
    expect(error.message).toContain('sends on to file://, which is not https');
  });

  test('another hash gives the file no name and keeps nothing', async () => {
    const { path, go } = pull(await serve(fileServer([])), {}, { sha256: 'a'.repeat(64) });
    await failsWith(go(), 'model.invalid');
    expect(existsSync(path) || existsSync(`${path}.part`)).toBe(false);
  });

  test('another size than asked for is refused before anything is written', async () => {
    const { path, go } = pull(await serve(fileServer([])), {}, { sizeBytes: 17 });
    await failsWith(go(), 'model.invalid');
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  test('a cancelled pull leaves what the next one goes on from', async () => {
    const seen: string[] = [];
    const url = await serve(fileServer(seen));
    const controller = new AbortController();
    const slow = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, 1000));
    });
    const path = join(temporaryFolder(), 'model.gguf');
    const request = { path, sha256, sizeBytes: null };
    const pulling = pullModel(
      { ...request, url: slow },
      { signal: controller.signal, onProgress: ({ doneBytes }) => doneBytes === 1000 && controller.abort() },
    );
    await failsWith(pulling, 'model.cancelled');
    expect(existsSync(path)).toBe(false);
    expect(await pullModel({ ...request, url }, quick)).toMatchObject({ receivedBytes: 299_000 });
    expect(seen).toEqual(['bytes=1000-']);
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  test('a server that falls silent is given up after a few attempts', async () => {
    const url = await serve(() => {});
    await failsWith(pull(url, { idleMs: 30, attempts: 2 }).go(), 'model.timeout');
  });

  test('a disk without room is told before anything is written', async () => {
    const { path, go } = pull(await serve(fileServer([])), { freeBytes: () => 1000 });
    await failsWith(go(), 'workspace.diskFull');
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  test.each([
    [404, 'input.notFound'],
    [401, 'input.invalid'],
    [503, 'model.timeout'],
  ] as const)('an answer of %i ends with %s', async (status, code) => {
    const url = await serve((_request, response) => response.writeHead(status).end());
    await failsWith(pull(url, { attempts: 2 }).go(), code);
  });

  test.each([403, 503])(
    'the connection of an answer of %i is not kept open',
    async (status) => {
      const closed: Promise<void>[] = [];
      const url = await serve((_request, response) => {
        closed.push(new Promise((resolve) => response.once('close', resolve)));
        response.writeHead(status);
        response.write('it will never be said why');
      });
      await rejectedBy(pull(url, { attempts: 1 }).go());
      expect(closed).toHaveLength(1);
      await Promise.all(closed);
      // Some seconds later the garbage collector would close it, too.
    },
    4000,
  );

  test('of a file of unknown size no more is taken than what a model can have', async () => {
    const url = await serve(withoutSize(content));
    const { path, go } = pull(url, { mostBytes: 299_999 });
    const error = await rejectedBy(go());
    expect(error.code).toBe('model.invalid');
    expect(error.message).toContain('Give its size with --size');
    expect(existsSync(`${path}.part`)).toBe(false);
    expect((await pull(url, { mostBytes: 300_000 }).go()).receivedBytes).toBe(300_000);
    expect((await pull(url, { mostBytes: 1 }, { sizeBytes: 300_000 }).go()).receivedBytes).toBe(300_000);
  });

  test('while a file of unknown size comes in, room for others is left on the disk', async () => {
    const large = Buffer.alloc(12_000_000, 7);
    const url = await serve(withoutSize(large));
    let isFull = false;
    const onProgress: PullOptions['onProgress'] = ({ doneBytes }) => {
      isFull = doneBytes > 6_000_000;
    };
    const freeBytes = () => (isFull ? 1000 : 1e12);
    const { path, go } = pull(url, { onProgress, freeBytes });
    await failsWith(go(), 'workspace.diskFull');
    // What is there is kept: the same command goes on from it once there is room.
    const { size } = statSync(`${path}.part`);
    expect(size).toBeGreaterThan(6_000_000);
    expect(size).toBeLessThan(large.length);
  });

  test('does not follow a redirect to another place without https', async () => {
    let asked = 0;
    const elsewhere = await serve((_request, response) => {
      asked++;
      response.end(content);
    });
    const url = await serve((_request, response) => response.writeHead(302, { location: elsewhere }).end());
    await failsWith(pull(url).go(), 'input.invalid');
    expect(asked).toBe(0);
  });

  test.each([
    'http://models.example/a.gguf',
    'file:///etc/passwd',
    'nonsense',
    'https://me:secret@models.example/a',
  ])('refuses %s without asking', (url) => failsWith(pull(url).go(), 'input.invalid'));

  test('checking a file that is there already can be cancelled', async () => {
    const { path, go } = pull(await serve(fileServer([])), { signal: AbortSignal.abort() });
    writeFileSync(path, content);
    await failsWith(go(), 'model.cancelled');
  });

  test('a file that is there already and right is not got again, another one is not overwritten', async () => {
    const seen: string[] = [];
    const { path, go } = pull(await serve(fileServer(seen)));
    writeFileSync(path, content);
    expect((await go()).receivedBytes).toBe(0);
    writeFileSync(path, 'mine');
    await failsWith(go(), 'input.invalid');
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect(seen).toEqual([]);
  });
});
