export interface Span {
  readonly low: number;
  readonly high: number;
}

/** What an axis has to hold, with a little room at both ends; never empty. */
export function spanOf(values: readonly number[]): Span {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return { low: 0, high: 1 };
  const low = Math.min(...finite);
  const high = Math.max(...finite);
  const room = high > low ? (high - low) * 0.06 : Math.max(Math.abs(low) * 0.1, 0.5);
  return { low: low - room, high: high + room };
}

const fewestTicks = 2.2;

/** Round numbers within the span, two to six of them. */
export function ticksOf({ low, high }: Span): number[] {
  const rough = (high - low) / fewestTicks;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([5, 2, 1].find((factor) => factor * power <= rough) ?? 1) * power;
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(10)),
  );
}
