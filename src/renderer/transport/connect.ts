import type { WindowBridge } from '../../shared/contract/bridge.ts';
import { connectWebSocket, type Transport, type WebSocketLike } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { takeToken } from './session-token.ts';

declare global {
  interface Window {
    readonly gymwright?: WindowBridge;
  }
}

/** The way to the engine: the window's bridge when there is one, else a WebSocket to the server of the page. */
export async function connect(): Promise<Transport> {
  const bridge = window.gymwright;
  return bridge ? bridgeTransport(bridge) : connectWebSocket(openSocket() as WebSocketLike);
}

/** Throws rpc.unauthorized when the tab was opened without the token. */
function openSocket(): WebSocket {
  const clear = (): void => window.history.replaceState(null, '', window.location.pathname);
  const token = takeToken({ hash: window.location.hash, clear }, window.sessionStorage);
  if (token === null) {
    throw new AppError(
      'rpc.unauthorized',
      'This address lacks its token: open the whole address that `gymwright serve` printed.',
    );
  }
  const url = new URL('rpc', document.baseURI);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(url, ['gymwright', `token.${token}`]);
}

/** Turns the bridge's plain answers back into values and AppErrors. */
export function bridgeTransport(bridge: WindowBridge): Transport {
  return {
    async request(call, args) {
      const answer = await bridge.request(call, args);
      if (answer.ok) return answer.value;
      throw AppError.fromPayload(answer.error);
    },
    onEvent: (listener) => bridge.onEvent(listener),
    onClose: (listener) => bridge.onClose((reason) => listener(AppError.fromPayload(reason))),
  };
}
