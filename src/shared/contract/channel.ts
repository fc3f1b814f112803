import { AppError } from '../std/app-error.ts';
import { type RequestMessage, type ResponseMessage, serverMessage } from './messages.ts';
import type { Transport } from './transport.ts';

/**
 * A two-way stream of messages (WebSocket, private socket, process IPC), already decoded to plain data. The receiving side
 * checks what comes in; `onClose` is told once, at once if the channel is closed already.
 */
export interface Channel {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onClose(listener: (reason: AppError) => void): void;
  close(): void;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: AppError) => void;
}

/** Numbers requests, matches answers, spreads events; when the channel closes every open request is rejected with the reason. */
export function createChannelTransport(channel: Channel): Transport {
  const pending = new Map<number, Pending>();
  const eventListeners = new Set<(event: string, payload: unknown) => void>();
  const closeListeners = new Set<(reason: AppError) => void>();
  let closedBecause: AppError | null = null;
  let nextId = 1;

  const settle = (response: ResponseMessage): void => {
    if (response.id === null) return;
    const waiting = pending.get(response.id);
    pending.delete(response.id);
    if (response.ok) waiting?.resolve(response.value);
    else
      waiting?.reject(
        new AppError(response.error.code, response.error.message, { data: response.error.data }),
      );
  };
  channel.onMessage((raw) => {
    const message = serverMessage.safeParse(raw);
    if (!message.success) return;
    if (message.data.kind === 'response') settle(message.data);
    else for (const listener of [...eventListeners]) listener(message.data.event, message.data.payload);
  });
  channel.onClose((reason) => {
    closedBecause = reason;
    for (const waiting of pending.values()) waiting.reject(reason);
    pending.clear();
    for (const listener of [...closeListeners]) listener(reason);
  });

  return {
    request(call, args) {
      if (closedBecause !== null) return Promise.reject(closedBecause);
      const id = nextId++;
      const request: RequestMessage = { kind: 'request', id, call, args };
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        try {
          channel.send(request);
        } catch (thrown) {
          pending.delete(id);
          reject(AppError.from(thrown));
        }
      });
    },
    onEvent(listener) {
      eventListeners.add(listener);
      return () => void eventListeners.delete(listener);
    },
    onClose(listener) {
      if (closedBecause !== null) listener(closedBecause);
      closeListeners.add(listener);
      return () => void closeListeners.delete(listener);
    },
  };
}
