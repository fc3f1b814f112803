import type { LogLine } from '../../shared/contract/engine.ts';

/** The last lines of the engine's log, for whoever opens the log later. */
export interface LogRing {
  add(line: LogLine): void;
  lines(): LogLine[];
}

export const logCapacity = 500;

export function createLogRing(): LogRing {
  const lines: LogLine[] = [];
  return {
    add(line) {
      lines.push(line);
      if (lines.length > logCapacity) lines.shift();
    },
    lines: () => [...lines],
  };
}
