/** Runs `work` once, `delayMs` after the last call with the same key. */
export interface Debouncer {
  schedule(key: string, work: () => void): void;
  cancel(key: string): void;
  /** Runs everything that waits, now. */
  flush(): void;
}

export function createDebouncer(delayMs: number): Debouncer {
  const waiting = new Map<string, { timer: ReturnType<typeof setTimeout>; work: () => void }>();
  const run = (key: string): void => {
    const entry = waiting.get(key);
    if (!entry) return;
    clearTimeout(entry.timer);
    waiting.delete(key);
    entry.work();
  };
  return {
    schedule(key, work) {
      const previous = waiting.get(key);
      if (previous) clearTimeout(previous.timer);
      waiting.set(key, { timer: setTimeout(() => run(key), delayMs), work });
    },
    cancel(key) {
      const entry = waiting.get(key);
      if (entry) clearTimeout(entry.timer);
      waiting.delete(key);
    },
    flush() {
      for (const key of [...waiting.keys()]) run(key);
    },
  };
}
