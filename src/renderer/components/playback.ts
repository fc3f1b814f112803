import { assertNever } from '../../shared/std/assert-never.ts';

/** Where a player of frames stands. */
export interface Playback {
  readonly index: number;
  readonly isPlaying: boolean;
  /** Times the usual speed. */
  readonly speed: number;
}

export const speeds = [0.25, 0.5, 1, 2, 4] as const;

/** Frames per second at the usual speed. */
const usualRate = 8;

/** `tick`: the time of a frame is over. `move`: by so many frames, by hand. */
export type PlaybackAction =
  | { readonly type: 'toggle' | 'tick' }
  | { readonly type: 'move'; readonly by: number }
  | { readonly type: 'seek'; readonly index: number }
  | { readonly type: 'speed'; readonly speed: number };

/** What an action makes of a playback of `count` frames. Who moves by hand pauses it; at the end it stops, and begins anew. */
export function advance(state: Playback, action: PlaybackAction, count: number): Playback {
  const last = Math.max(0, count - 1);
  const at = (index: number): number => Math.min(last, Math.max(0, index));
  switch (action.type) {
    case 'toggle':
      if (state.isPlaying) return { ...state, isPlaying: false };
      return { ...state, index: state.index >= last ? 0 : state.index, isPlaying: last > 0 };
    case 'tick':
      return { ...state, index: at(state.index + 1), isPlaying: state.isPlaying && state.index + 1 < last };
    case 'move':
      return { ...state, index: at(state.index + action.by), isPlaying: false };
    case 'seek':
      return { ...state, index: at(action.index), isPlaying: false };
    case 'speed':
      return { ...state, speed: action.speed };
    default:
      return assertNever(action);
  }
}

/** How long a frame is shown. */
export function frameMs({ speed }: Pick<Playback, 'speed'>): number {
  return 1000 / (usualRate * speed);
}
