import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { connectWebSocket, createClient, type WebSocketLike } from '../../../src/shared/contract/index.ts';
import { rejectedBy } from '../../support/error-code.ts';
import { studyView } from '../../support/fake-services.ts';
import { serveFakes } from '../../support/serve-fakes.ts';
import { listenWebSocket, openSocket } from '../../support/transports.ts';

async function refusal(
  ...[host, token, headers]: Parameters<typeof openSocket>
): Promise<{ status: number; body: string }> {
  const socket = openSocket(host, token, headers);
  const [, response] = await once(socket, 'unexpected-response');
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode, body };
}

describe('serveWebSocket', () => {
  test('a wrong token is refused before the upgrade with rpc.unauthorized and what to do', async () => {
    const host = await listenWebSocket(serveFakes().served);
    const { status, body } = await refusal(host, 'guess');
    expect(status).toBe(401);
    expect(JSON.parse(body)).toMatchObject({
      code: 'rpc.unauthorized',
      message: expect.stringContaining('gymwright serve'),
    });
  });

  test('a page of another origin is refused although it has the token', async () => {
    const host = await listenWebSocket(serveFakes().served);
    expect((await refusal(host, undefined, { origin: 'http://evil.example' })).status).toBe(401);
  });

  test('a name pointed at the loopback address is refused', async () => {
    const host = await listenWebSocket(serveFakes().served);
    const headers = { host: 'evil.example', origin: 'http://evil.example' };
    expect((await refusal(host, undefined, headers)).status).toBe(401);
  });

  test('the own origin is served', async () => {
    const host = await listenWebSocket(serveFakes().served);
    const socket = openSocket(host, undefined, { origin: `http://${host}` });
    const client = createClient(await connectWebSocket(socket as unknown as WebSocketLike));
    expect(await client.runs.list({})).toEqual([studyView]);
  });

  test('a message that is null is answered as any that is no request', async () => {
    const socket = openSocket(await listenWebSocket(serveFakes().served));
    await once(socket, 'open');
    socket.send('0\nnull');
    const [answer] = await once(socket, 'message');
    expect(JSON.parse(String(answer).replace(/^0\n/, ''))).toMatchObject({
      kind: 'response',
      id: null,
      error: { code: 'rpc.badArguments' },
    });
  });

  test('connecting where nobody listens rejects with rpc.disconnected', async () => {
    const socket = openSocket('127.0.0.1:9');
    expect((await rejectedBy(connectWebSocket(socket as unknown as WebSocketLike))).code).toBe(
      'rpc.disconnected',
    );
  });

  test('open requests are rejected when the connection breaks, later ones at once', async () => {
    const { served } = serveFakes({ propose: () => new Promise(() => undefined) });
    const socket = openSocket(await listenWebSocket(served));
    const client = createClient(await connectWebSocket(socket as unknown as WebSocketLike));
    const waiting = rejectedBy(client.coach.propose({ environment: 'e.edl' }));
    socket.terminate();
    expect((await waiting).code).toBe('rpc.disconnected');
    expect((await rejectedBy(client.runs.list({}))).code).toBe('rpc.disconnected');
  });
});
