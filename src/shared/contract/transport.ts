import type { AppError } from '../std/app-error.ts';

/**
 * How calls reach the engine and events come back; everything above it is the same in a window, a browser and a terminal.
 * Values are plain data: JSON plus typed arrays.
 */
export interface Transport {
  /** `call` is "domain.verb". Resolves with the value, rejects with an AppError; never hangs once the other side is gone. */
  request(call: string, args: unknown): Promise<unknown>;
  /** Returns the function that unsubscribes. */
  onEvent(listener: (event: string, payload: unknown) => void): () => void;
  /** Told once, when no further answer can come; at once if that is so already. */
  onClose(listener: (reason: AppError) => void): () => void;
}
