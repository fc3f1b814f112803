import type { ErrorPayload } from '../std/app-error.ts';

export type { ErrorPayload };

/** An answer as it crosses the window's bridge, which cannot carry AppErrors. */
export type BridgeAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ErrorPayload };

/** The one object the preload script gives to the page as `window.gymwright`: a transport, nothing else. */
export interface WindowBridge {
  request(call: string, args: unknown): Promise<BridgeAnswer>;
  /** Returns the function that unsubscribes. */
  onEvent(listener: (event: string, payload: unknown) => void): () => void;
  /** Told when the engine is gone. */
  onClose(listener: (reason: ErrorPayload) => void): () => void;
}

/** Names of the IPC channels between preload and main. */
export const bridgeChannels = {
  request: 'gymwright:request',
  event: 'gymwright:event',
  close: 'gymwright:close',
} as const;
