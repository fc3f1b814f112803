import type { WindowBridge } from '../../shared/contract/bridge.ts';
import { connectWebSocket, type Transport, type WebSocketLike } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/std/app-error.ts';

declare global {
  interface Window {
    readonly gymwright?: WindowBridge;
  }
}

/** The way to the engine: the window's bridge when there is one, else a WebSocket to the server of the page. */
export function connect(): Promise<Transport> {
  const bridge = window.gymwright;
  return bridge ? Promise.resolve(bridgeTransport(bridge)) : connectWebSocket(openSocket() as WebSocketLike);
}

/** The session cookie that the server set with the page authorises the socket. */
function openSocket(): WebSocket {
  const url = new URL('rpc', document.baseURI);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(url);
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
