import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { connectInProcess, connectSocket, serveWebSocket } from '../../src/engine/rpc/index.ts';
import { listenPrivately } from '../../src/engine/rpc/private-socket.ts';
import type { Served } from '../../src/engine/rpc/serve-channel.ts';
import { connectWebSocket, type Transport, type WebSocketLike } from '../../src/shared/contract/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const testToken = 'correct-horse-battery-staple';

/** An HTTP server on a free loopback port with the WebSocket endpoint at /rpc; gives its host. */
export async function listenWebSocket(served: Served): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = serveWebSocket(served, { server, path: '/rpc', token: testToken, hosts: [host] });
  onTestFinished(() => {
    close();
    server.close();
  });
  return host;
}

export function openSocket(host: string, token = testToken, headers: Record<string, string> = {}): WebSocket {
  const socket = new WebSocket(`ws://${host}/rpc`, ['gymwright', `token.${token}`], { headers });
  socket.on('error', () => undefined);
  onTestFinished(() => socket.terminate());
  return socket;
}

export async function viaWebSocket(served: Served): Promise<Transport> {
  return connectWebSocket(openSocket(await listenWebSocket(served)) as unknown as WebSocketLike);
}

export async function viaPrivateSocket(served: Served): Promise<Transport> {
  const socket = await listenPrivately(temporaryFolder(), testToken, served);
  const { transport, close } = await connectSocket(socket.endpoint, testToken);
  onTestFinished(async () => {
    close();
    await socket.close();
  });
  return transport;
}

export const transports: Readonly<Record<string, (served: Served) => Promise<Transport>>> = {
  'in process': async (served) => connectInProcess(served),
  WebSocket: viaWebSocket,
  'private socket': viaPrivateSocket,
};
