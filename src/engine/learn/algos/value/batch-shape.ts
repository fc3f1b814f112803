/**
 * The outline of a batch of episodes laid side by side, the longest first: `widths[t]` of them take step t, and as many are seen
 * after it. It must hold every episode; what it has beyond them is padding.
 *
 * Columns of steps go step by step, episode by episode. Columns of moments (what was seen before the first step and after each)
 * begin with all episodes and go on like the steps: the moment after a step stands `episodes` columns later than the step.
 */
export interface BatchShape {
  readonly episodes: number;
  /** Never rising; the first is `episodes`. */
  readonly widths: readonly number[];
}

export function stepsOf({ widths }: BatchShape): number {
  return widths.reduce((sum, width) => sum + width, 0);
}

/** Columns of each moment. */
export function momentWidths({ episodes, widths }: BatchShape): readonly number[] {
  return [episodes, ...widths];
}

/** Equal texts mean equal shapes. */
export function describeShape({ widths }: BatchShape): string {
  const changes = widths.flatMap((width, t) => (width === widths[t - 1] ? [] : [`${width} from ${t}`]));
  return `${changes.join(', ')} to ${widths.length}`;
}

/** A share of one in so many episodes may go on when the others are over. */
const fewer = 4;

/**
 * The outline for episodes of these lengths: all of them up to a padded length that three quarters of them keep within, then a
 * quarter up to the padded length of the longest.
 *
 * Training graphs have static shapes, and each costs a session: a third of a second to build, and memory for as long as it lives.
 * So outlines are few: the first length is one of 8, 16, 24, 32, 48, 64, 96, 128, 192, ..., the second, whose padding costs a
 * quarter, a power of two; neither is more than an episode can have. Multiples of 8 suit the vector units. Where lengths vary,
 * a rectangle would be half padding; the second step of the stair saves most of that.
 * Requires: lengths in falling order.
 */
export function outline(lengths: readonly number[], episodeLength: number): BatchShape {
  const episodes = lengths.length;
  const narrow = Math.ceil(episodes / fewer);
  const most = lengths[0] as number;
  const full = paddedLength(lengths[narrow] ?? most, episodeLength);
  const longest =
    most <= full ? full : Math.max(most, Math.min(2 ** Math.ceil(Math.log2(most)), episodeLength));
  return { episodes, widths: Array.from({ length: longest }, (_, t) => (t < full ? episodes : narrow)) };
}

/** The least of the lengths in use that holds `longest` steps. */
export function paddedLength(longest: number, episodeLength: number): number {
  let length = 8;
  while (length < longest) {
    const octave = 2 ** Math.floor(Math.log2(length));
    length += length < 32 ? 8 : octave / 2;
  }
  return Math.max(longest, Math.min(length, episodeLength));
}
