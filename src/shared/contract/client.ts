import { type Client, contract } from './contract.ts';
import { type EventName, type EventPayload, events } from './events.ts';
import type { Transport } from './transport.ts';

/** Calls of one domain, each sending its name and arguments. */
function domainCalls(
  domain: string,
  verbs: readonly string[],
  transport: Transport,
): Record<string, unknown> {
  const call = (verb: string) => (args: unknown) => transport.request(`${domain}.${verb}`, args);
  return Object.fromEntries(verbs.map((verb) => [verb, call(verb)]));
}

/**
 * The typed client, derived from the contract. Arguments are checked by the engine, which owns the trust boundary;
 * answers come from it and are passed on as they are. Failures are AppErrors.
 */
export function createClient(transport: Transport): Client {
  const domains = Object.entries(contract).map(([domain, calls]) => [
    domain,
    domainCalls(domain, Object.keys(calls), transport),
  ]);
  const on = <E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): (() => void) => {
    if (!Object.hasOwn(events, event)) throw new TypeError(`there is no event "${event}"`);
    return transport.onEvent((name, payload) => {
      if (name === event) listener(payload as EventPayload<E>);
    });
  };
  return { ...Object.fromEntries(domains), on } as Client;
}
