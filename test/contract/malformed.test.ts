import { once } from 'node:events';
import { createConnection } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WebSocket } from 'ws';
import { listenPrivately } from '../../src/engine/rpc/private-socket.ts';
import { serveChannel } from '../../src/engine/rpc/serve-channel.ts';
import { AppError } from '../../src/shared/std/app-error.ts';
import { serveFakes } from '../support/serve-fakes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { listenWebSocket, openSocket, testToken } from '../support/transports.ts';

/** Sends a raw message and gives the next text that comes back. */
async function exchange(socket: WebSocket, data: string | Uint8Array): Promise<string> {
  const answer = once(socket, 'message');
  socket.send(data);
  const [message] = await answer;
  return String(message);
}

async function openRaw(): Promise<WebSocket> {
  const socket = openSocket(await listenWebSocket(serveFakes().served));
  await once(socket, 'open');
  return socket;
}

describe('a malformed WebSocket message', () => {
  test.each([
    ['no frame count', '{"kind":"request"}'],
    ['no JSON', '0\nnonsense'],
    ['an unannounced binary frame', new Uint8Array([1, 2, 3])],
    ['an absurd frame count', '99999999\n{}'],
    ['a request without a call', '0\n{"kind":"request","id":1,"args":{}}'],
    ['a negative id', '0\n{"kind":"request","id":-1,"call":"runs.list","args":{}}'],
    ['an event from a client', '0\n{"kind":"event","event":"study.changed","payload":{}}'],
    ['a bare number', '0\n42'],
  ])('%s is answered with rpc.badArguments, and the connection goes on', async (_name, data) => {
    const socket = await openRaw();
    expect(await exchange(socket, data)).toContain('rpc.badArguments');
    const answer = await exchange(socket, '0\n{"kind":"request","id":7,"call":"engine.status","args":{}}');
    expect(answer).toContain('"id":7,"ok":true');
  });

  test('a refusal carries the id where the message has one', async () => {
    const socket = await openRaw();
    expect(await exchange(socket, '0\n{"kind":"request","id":5}')).toContain('"id":5');
  });
});

describe('serveChannel', () => {
  test('answers any message and never throws (seeded)', async () => {
    const { served } = serveFakes();
    const sent: unknown[] = [];
    let receive: (message: unknown) => void = () => undefined;
    serveChannel(
      {
        send: (message) => sent.push(message),
        onMessage: (listener) => {
          receive = listener;
        },
        onClose: () => undefined,
        close: () => undefined,
      },
      served,
    );
    fc.assert(
      fc.property(fc.anything(), (message) => receive(message)),
      { seed: 9, numRuns: 1000 },
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sent).toHaveLength(1000);
    for (const answer of sent) expect(answer).toMatchObject({ kind: 'response', ok: false });
  });

  test('answers a call with an error when who serves it throws or rejects', async () => {
    const sent: unknown[] = [];
    let receive: (message: unknown) => void = () => undefined;
    const channel = {
      send: (message: unknown) => void sent.push(message),
      onMessage: (listener: typeof receive) => {
        receive = listener;
      },
      onClose: () => undefined,
      close: () => undefined,
    };
    const dispatch = (call: string) => {
      if (call === 'now') throw new Error('at once');
      return Promise.reject(new AppError('workspace.notFound', 'the folder is gone'));
    };
    serveChannel(channel, { dispatch, subscribe: () => () => undefined });
    receive({ kind: 'request', id: 1, call: 'now', args: {} });
    receive({ kind: 'request', id: 2, call: 'later', args: {} });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(sent).toMatchObject([
      { id: 1, ok: false, error: { code: 'internal', message: 'now broke down: at once' } },
      {
        id: 2,
        ok: false,
        error: { code: 'workspace.notFound', message: 'later broke down: the folder is gone' },
      },
    ]);
  });
});

describe('the private socket', () => {
  async function connectRaw() {
    const socket = await listenPrivately(temporaryFolder(), testToken, serveFakes().served);
    const raw = createConnection(socket.endpoint);
    onTestFinished(async () => {
      raw.destroy();
      await socket.close();
    });
    return raw;
  }

  test.each([
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['a request before the greeting', packet('{"kind":"request","id":1,"call":"runs.list","args":{}}')],
    ['a wrong token', packet('{"kind":"greeting","token":"guess"}')],
    ['noise', Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 73) % 256))],
  ])('refuses %s and closes', async (_name, bytes) => {
    const raw = await connectRaw();
    let answer = '';
    raw.on('data', (data) => {
      answer += String(data);
    });
    raw.write(bytes);
    await once(raw, 'close');
    expect(answer).toContain('rpc.unauthorized');
    expect(answer).not.toContain('"ok":true');
  });
});

function packet(text: string): Buffer {
  const body = Buffer.from(text);
  const header = Buffer.from([0x47, 0x57, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body]);
}
