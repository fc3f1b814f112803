import { coach } from './coach.ts';
import type { CallSpec, DomainClient, DomainHandlers } from './define.ts';
import { desktop } from './desktop.ts';
import { edl } from './edl.ts';
import { engine } from './engine.ts';
import type { EventName, EventPayload } from './events.ts';
import { models } from './models.ts';
import { policies } from './policies.ts';
import { runs } from './runs.ts';
import { simulator } from './simulator.ts';
import { workspace } from './workspace.ts';

/** The whole contract: every call that crosses a process boundary towards the engine or the shell. */
export const contract = { workspace, edl, simulator, runs, coach, models, policies, engine, desktop };

export type Contract = typeof contract;

/** What the contract says of "domain.verb"; null where there is no such call. */
export function findCall(name: string): CallSpec | null {
  const [domain = '', verb = '', ...rest] = name.split('.');
  if (rest.length > 0 || !Object.hasOwn(contract, domain)) return null;
  const calls: Readonly<Record<string, CallSpec>> = contract[domain as keyof Contract];
  return Object.hasOwn(calls, verb) ? (calls[verb] ?? null) : null;
}

export type DomainName = keyof Contract;

/** What the engine implements (all but the shell's own domain). */
export type EngineHandlers = { readonly [D in Exclude<DomainName, 'desktop'>]: DomainHandlers<Contract[D]> };
export type DesktopHandlers = DomainHandlers<typeof desktop>;

/** What the renderer and the command line hold. */
export type Client = { readonly [D in DomainName]: DomainClient<Contract[D]> } & {
  /** Returns the function that unsubscribes. */
  readonly on: <E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void) => () => void;
};
