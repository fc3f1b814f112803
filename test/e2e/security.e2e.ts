import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { launchChromium } from './support/chromium.ts';
import { makeSample, type Sample, type ServeProcess, startServe } from './support/sample.ts';

describe('gymwright serve', () => {
  let sample: Sample;
  let serving: ServeProcess;
  let token: string;

  beforeAll(async () => {
    sample = makeSample();
    serving = await startServe(sample.root);
    token = new URL(serving.url).hash.replace('#token=', '');
  });
  afterAll(async () => {
    await serving?.interrupt();
    sample?.remove();
  });

  /** "open", or the HTTP status the upgrade was refused with. */
  function openSocket(protocols: string[], headers: Record<string, string> = {}): Promise<string> {
    return new Promise((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${serving.port}/rpc`, protocols, { headers });
      socket.on('open', () => {
        socket.close();
        resolve('open');
      });
      socket.on('unexpected-response', (_request, response) => resolve(String(response.statusCode)));
      socket.on('error', () => resolve('error'));
    });
  }

  function statusOf(path: string, host = `127.0.0.1:${serving.port}`): Promise<number> {
    return new Promise((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port: serving.port, path, headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      call.on('error', reject);
      call.end();
    });
  }

  test('lets in who has the token', async () => {
    expect(token.length).toBeGreaterThanOrEqual(40);
    expect(await openSocket(['gymwright', `token.${token}`])).toBe('open');
  });

  test('refuses a missing, a wrong and a shortened token', async () => {
    expect(await openSocket(['gymwright'])).toBe('401');
    expect(await openSocket(['gymwright', `token.${'x'.repeat(token.length)}`])).toBe('401');
    expect(await openSocket(['gymwright', `token.${token.slice(1)}`])).toBe('401');
  });

  test('refuses pages of other origins and host names pointed at it, even with the token', async () => {
    const protocols = ['gymwright', `token.${token}`];
    expect(await openSocket(protocols, { origin: 'http://evil.example' })).toBe('401');
    expect(await openSocket(protocols, { origin: 'null' })).toBe('401');
    expect(await openSocket(protocols, { host: 'evil.example' })).toBe('401');
    expect(await statusOf('/', 'evil.example')).toBe(403);
  });

  test('serves no file outside the page', async () => {
    for (const path of [
      '/../../package.json',
      '/%2e%2e/%2e%2e/package.json',
      '/..%2f..%2fpackage.json',
      '/..\\..\\package.json',
    ]) {
      expect(await statusOf(path)).toBe(404);
    }
    expect(await statusOf('/index.html')).toBe(200);
  });

  test('a second server on the same port says what to do', async () => {
    const second = startServe(sample.root, ['--port', String(serving.port)]);
    await expect(second).rejects.toThrow(/ended with 2: .*in use by another program.*--port/);
  });

  test('the page evaluates no text as code', async () => {
    const browser = await launchChromium();
    const page = await browser.newPage();
    await page.goto(serving.url);
    await page.getByText('engine: idle').waitFor();
    // Inside a timer: what a test evaluates itself is not bound by the policy.
    const outcome = await page.evaluate<string>(`new Promise((resolve) => {
      setTimeout(() => {
        try {
          resolve(String(new Function('return 1 + 1')()));
        } catch (error) {
          resolve(error.name);
        }
      });
    })`);
    await browser.close();
    expect(outcome).toBe('EvalError');
  });

  test('a page opened without the token says where the whole address is', async () => {
    const browser = await launchChromium();
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${serving.port}/`);
    await page.getByText('open the whole address').waitFor();
    await browser.close();
  });
});
