/**
 * A batch of episodes laid side by side, the longest first, as columns of moments (what was seen before the first step and after
 * each): moment after moment, episode after episode. Where episodes are over, the later moments have fewer columns: a stair.
 */
export interface BatchShape {
  /** How many episodes have moment t, from t = 0 (all of them) to the last moment of the longest; never rising. */
  readonly widths: readonly number[];
  /** The number of moments that the graph is for: as many as there are widths, or more. */
  readonly numMoments: number;
}

/** Requires: lengths, in steps, in falling order. */
export function stairOf(lengths: readonly number[], episodeLength: number): BatchShape {
  const longest = lengths[0] as number;
  const widths: number[] = [];
  let width = lengths.length;
  for (let t = 0; t <= longest; t++) {
    while ((lengths[width - 1] as number) < t) width--;
    widths.push(width);
  }
  return { widths, numMoments: 1 + paddedLength(longest, episodeLength) };
}

export function columnsOf({ widths }: BatchShape): number {
  return widths.reduce((sum, width) => sum + width, 0);
}

/**
 * How the columns belong to the graph's moments. Shape: widths [T] i32 and spans [2T-1] i32, as `StairSteps` describes them.
 */
export function stairFeeds({ widths, numMoments }: BatchShape): { widths: Int32Array; spans: Int32Array } {
  const all = Int32Array.from({ length: numMoments }, (_, t) => widths[t] ?? 0);
  const spans = new Int32Array(2 * numMoments - 1);
  for (const [t, width] of all.entries()) {
    const going = t === numMoments - 1 ? width : (all[t + 1] as number);
    spans[2 * t] = going;
    if (t < numMoments - 1) spans[2 * t + 1] = width - going;
  }
  return { widths: all, spans };
}

/**
 * The least number of steps of those in use that holds `longest`: 8, 16, 24, 32, 48, 64, 96, 128, 192, ..., but no more than an
 * episode can have. Each needs a graph of its own, a quarter of a second to build; a step beyond the longest episode costs
 * some 20 µs.
 */
export function paddedLength(longest: number, episodeLength: number): number {
  let length = 8;
  while (length < longest) {
    const octave = 2 ** Math.floor(Math.log2(length));
    length += length < 32 ? 8 : octave / 2;
  }
  return Math.max(longest, Math.min(length, episodeLength));
}
