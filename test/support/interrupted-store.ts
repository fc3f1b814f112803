import type { Store } from '../../src/engine/store/index.ts';

const readers = /^(find|get|list|chargedSteps|has)/;

/** What a process that is killed leaves: everything up to a write, and nothing after it. */
export class Killed extends Error {}

/** The store of a process that dies right after its `after`-th write (the last one still counts). */
export function interruptedStore(store: Store, after: number): { store: Store; count: () => number } {
  let writes = 0;
  const note = (): void => {
    if (writes >= after) throw new Killed(`killed after write ${after}`);
  };
  const watch = (aggregate: object): object =>
    new Proxy(aggregate, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function' || readers.test(String(name))) return value;
        return (...args: unknown[]) => {
          const result: unknown = value.apply(target, args);
          writes++;
          note();
          return result;
        };
      },
    });
  const watched = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'object' && value !== null ? watch(value) : value;
    },
  });
  return { store: watched, count: () => writes };
}
