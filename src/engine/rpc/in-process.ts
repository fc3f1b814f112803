import type { Transport } from '../../shared/contract/transport.ts';
import { AppError } from '../../shared/std/app-error.ts';
import type { Served } from './serve-channel.ts';

/** The transport inside one process: no copy is made, so answers must not be changed by who gets them. */
export function connectInProcess(served: Served & Partial<Pick<Transport, 'onClose'>>): Transport {
  return {
    async request(call, args) {
      const answer = await served.dispatch(call, args);
      if (answer.ok) return answer.value;
      throw AppError.fromPayload(answer.error);
    },
    onEvent: (listener) => served.subscribe(listener),
    onClose: (listener) => served.onClose?.(listener) ?? (() => undefined),
  };
}
