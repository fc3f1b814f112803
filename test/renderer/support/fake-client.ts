import type { Client, EventName, EventPayload } from '../../../src/shared/contract/index.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';

/** Answers of single calls, by "domain.verb". What is not named rejects, so a test notices an unexpected call. */
export type FakeAnswers = {
  readonly [D in Exclude<keyof Client, 'on'>]?: Partial<Client[D]>;
};

export interface FakeClient {
  readonly client: Client;
  /** "domain.verb" and arguments of every call so far. */
  readonly calls: readonly { readonly call: string; readonly args: unknown }[];
  emit<E extends EventName>(event: E, payload: EventPayload<E>): void;
}

type Answer = (args: unknown) => Promise<unknown>;

/** A client in memory: answers what the test says, records calls, emits events on demand. */
export function createFakeClient(answers: FakeAnswers): FakeClient {
  const calls: { call: string; args: unknown }[] = [];
  const listeners = new Map<string, Set<(payload: unknown) => void>>();

  const domain = (name: string): unknown =>
    new Proxy(
      {},
      {
        get: (_target, verb) => (args: unknown) => {
          const call = `${name}.${String(verb)}`;
          calls.push({ call, args });
          const domainAnswers = (answers as Record<string, Record<string, Answer> | undefined>)[name];
          const answer = domainAnswers?.[String(verb)];
          return answer
            ? answer(args)
            : Promise.reject(new AppError('rpc.unknownCall', `no answer for ${call}`));
        },
      },
    );

  const on = (event: string, listener: (payload: unknown) => void): (() => void) => {
    const set = listeners.get(event) ?? new Set();
    listeners.set(event, set.add(listener));
    return () => set.delete(listener);
  };

  const client = new Proxy(
    {},
    { get: (_target, name) => (name === 'on' ? on : domain(String(name))) },
  ) as Client;
  return {
    client,
    calls,
    emit(event, payload) {
      for (const listener of listeners.get(event) ?? []) listener(payload);
    },
  };
}
