import type { EventName } from '../../shared/contract/events.ts';
import type { Transport } from '../../shared/contract/transport.ts';
import { AppError } from '../../shared/std/app-error.ts';
import type { Served } from './serve-channel.ts';

/** A transport as something to serve: calls go through it, answers and events come back with their codes. */
export function relayTransport(transport: Transport): Served {
  return {
    dispatch: (call, args) =>
      transport.request(call, args).then(
        (value) => ({ ok: true, value }) as const,
        (error: unknown) => ({ ok: false, error: AppError.from(error).toPayload() }) as const,
      ),
    subscribe: (listener) => transport.onEvent((event, payload) => listener(event as EventName, payload)),
  };
}
