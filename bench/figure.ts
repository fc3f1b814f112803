/** One measured figure. `aim` is what the product sets out to reach, not what it has to be measured as. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly aim?: { readonly atLeast: number } | { readonly atMost: number };
}

/** What a part of the benchmark prints on stdout, as one JSON object. Progress goes to stderr. */
export interface PartReport {
  readonly figures: readonly Figure[];
  /** Anything else worth keeping: all repetitions, settings. */
  readonly detail?: unknown;
}

export function printReport(report: PartReport): void {
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[middle - 1] ?? 0, sorted[middle] ?? 0];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}
