import { useEffect, useReducer } from 'react';
import { advance, frameMs, type Playback, type PlaybackAction } from './playback.ts';

/** Plays `count` frames: the state that is shown, and the way to act on it. */
export function usePlayback(
  count: number,
  isPlayingAtFirst: boolean,
): readonly [Playback, (action: PlaybackAction) => void] {
  const [state, dispatch] = useReducer(
    (current: Playback, action: PlaybackAction) => advance(current, action, count),
    { index: 0, isPlaying: isPlayingAtFirst && count > 1, speed: 1 },
  );
  const { index, isPlaying, speed } = state;

  // Dependencies: the next frame is waited for anew
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setTimeout(() => dispatch({ type: 'tick' }), frameMs({ speed }));
    return () => clearTimeout(timer);
  }, [index, isPlaying, speed]);

  return [state, dispatch];
}
