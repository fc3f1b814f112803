interface SignalSource {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/**
 * For a child process that ends on its parent's word: a key press at a terminal signals the whole process group, and a
 * child that died of it could not write the checkpoint that its parent is about to ask for.
 */
export function ignoreTerminalSignals(self: SignalSource): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) self.on(signal, () => {});
}
