import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PageServer, servePage } from '../../../src/main/serve/page-server.ts';

let folder: string;
let page: PageServer;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'gymwright-page-'));
  writeFileSync(path.join(folder, 'index.html'), '<p>page</p>');
  page = await servePage(folder, 0);
});
afterEach(() => {
  page.server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A raw request: fetch would tidy the path and set the host itself. */
function ask(
  urlPath: string,
  options: { host?: string; method?: string } = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { host: options.host ?? `127.0.0.1:${page.port}` };
    const call = request({
      host: '127.0.0.1',
      port: page.port,
      path: urlPath,
      method: options.method ?? 'GET',
      headers,
    });
    call.on('error', reject);
    call.on('response', (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    call.end();
  });
}

describe('servePage', () => {
  test('serves the page on the loopback address only', async () => {
    expect(await ask('/')).toEqual({ status: 200, body: '<p>page</p>' });
    expect(page.server.address()).toMatchObject({ address: '127.0.0.1' });
  });

  test('refuses a host name that was pointed at the address', async () => {
    expect((await ask('/', { host: 'evil.example' })).status).toBe(403);
    expect((await ask('/', { host: `evil.example:${page.port}` })).status).toBe(403);
    expect((await ask('/', { host: `localhost:${page.port}` })).status).toBe(200);
  });

  test('leaves its folder for no path', async () => {
    expect((await ask('/../../etc/passwd')).status).toBe(404);
    expect((await ask('/%2e%2e/%2e%2e/etc/passwd')).status).toBe(404);
  });

  test('answers only GET and HEAD', async () => {
    expect((await ask('/', { method: 'POST' })).status).toBe(405);
    expect(await ask('/', { method: 'HEAD' })).toEqual({ status: 200, body: '' });
  });

  test('a port in use is server.portInUse and says what to do', async () => {
    await expect(servePage(folder, page.port)).rejects.toMatchObject({
      code: 'server.portInUse',
      message: expect.stringContaining('--port'),
    });
  });
});
