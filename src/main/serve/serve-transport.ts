import type { CallAnswer, Served } from '../../engine/rpc/index.ts';
import type { EventName, Transport } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/std/app-error.ts';

/**
 * Serves the engine behind a transport to others: calls are passed on, events spread. The engine checks the arguments. Calls of
 * `desktop` are answered by the shell instead.
 */
export function serveTransport(
  transport: Transport,
  shell: (call: string, args: unknown) => Promise<CallAnswer>,
): Served {
  return {
    dispatch: (call, args) =>
      call.startsWith('desktop.') ? shell(call, args) : forward(transport, call, args),
    subscribe: (listener) => transport.onEvent((event, payload) => listener(event as EventName, payload)),
  };
}

async function forward(transport: Transport, call: string, args: unknown): Promise<CallAnswer> {
  try {
    return { ok: true, value: await transport.request(call, args) };
  } catch (thrown) {
    return { ok: false, error: AppError.from(thrown).toPayload() };
  }
}
