import { type CallAnswer, relayTransport, type Served } from '../../engine/rpc/index.ts';
import type { Transport } from '../../shared/contract/index.ts';

/** Serves the engine behind a transport to others. Calls of `desktop` are answered by the shell instead. */
export function serveTransport(
  transport: Transport,
  shell: (call: string, args: unknown) => Promise<CallAnswer>,
): Served {
  const engine = relayTransport(transport);
  return {
    subscribe: engine.subscribe,
    dispatch: (call, args) => (call.startsWith('desktop.') ? shell : engine.dispatch)(call, args),
  };
}
