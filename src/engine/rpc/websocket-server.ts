import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { maxMessageBytes, type WebSocketLike, webSocketChannel } from '../../shared/contract/websocket.ts';
import { AppError, type ErrorPayload } from '../../shared/std/app-error.ts';
import { isToken } from './is-token.ts';
import { type Served, serveChannel } from './serve-channel.ts';

export interface WebSocketServing {
  readonly server: Server;
  /** Path of the upgrade request, e.g. "/rpc". */
  readonly path: string;
  /** What a client must present: as subprotocol `token.<token>` next to `gymwright`, which browsers can send too. */
  readonly token: string;
  /** Accepted Host headers, e.g. "127.0.0.1:4173": anything else is a page that had its name pointed at us. */
  readonly hosts: readonly string[];
}

export const subprotocol = 'gymwright';

function refusalOf(request: IncomingMessage, { token, hosts }: WebSocketServing): AppError | null {
  const { host = '', origin } = request.headers;
  if (!hosts.includes(host))
    return new AppError(
      'rpc.unauthorized',
      `host "${host}" is not served: use the address that \`gymwright serve\` printed`,
    );
  if (origin !== undefined && origin !== `http://${host}`) {
    return new AppError(
      'rpc.unauthorized',
      `pages of "${origin}" may not use this engine: use the address that \`gymwright serve\` printed`,
    );
  }
  const protocols = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  if (protocols.some((name) => name.startsWith('token.') && isToken(name.slice(6), token))) return null;
  return new AppError(
    'rpc.unauthorized',
    'the token is missing or wrong: open the address that `gymwright serve` printed, token included',
  );
}

function refuse(socket: Duplex, status: string, error: ErrorPayload): void {
  const body = JSON.stringify(error);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}

/** `ws` sockets hand over Buffers or ArrayBuffers by binaryType and offer the same events as a browser's. */
function asWebSocketLike(socket: WebSocket): WebSocketLike {
  return socket as unknown as WebSocketLike;
}

/**
 * Serves an engine to browsers on an HTTP server that the caller owns. Host, origin and token are checked before the upgrade.
 * Returns the function that closes every connection.
 */
export function serveWebSocket(served: Served, serving: WebSocketServing): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    handleProtocols: (protocols) => (protocols.has(subprotocol) ? subprotocol : false),
  });
  serving.server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const path = (request.url ?? '').split('?')[0];
    if (path !== serving.path) {
      return refuse(
        socket,
        '404 Not Found',
        new AppError('input.notFound', `nothing is served at ${path}`).toPayload(),
      );
    }
    const refusal = refusalOf(request, serving);
    if (refusal !== null) return refuse(socket, '401 Unauthorized', refusal.toPayload());
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', () => webSocket.terminate());
      serveChannel(webSocketChannel(asWebSocketLike(webSocket)), served);
    });
  });
  return () => {
    for (const client of sockets.clients) client.terminate();
    sockets.close();
  };
}
