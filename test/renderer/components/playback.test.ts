import { describe, expect, test } from 'vitest';
import { advance, frameMs, type Playback } from '../../../src/renderer/components/playback.ts';

const still: Playback = { index: 0, isPlaying: false, speed: 1 };
const playing: Playback = { ...still, isPlaying: true };

describe('advance', () => {
  test('plays frame by frame and stops at the last', () => {
    const states = [playing];
    for (let tick = 0; tick < 4; tick++) states.push(advance(states[tick] ?? still, { type: 'tick' }, 4));
    expect(states.map(({ index }) => index)).toEqual([0, 1, 2, 3, 3]);
    expect(states.map(({ isPlaying }) => isPlaying)).toEqual([true, true, true, false, false]);
  });

  test('begins anew where it stood at the end, else goes on, and pauses', () => {
    expect(advance({ ...still, index: 3 }, { type: 'toggle' }, 4)).toEqual(playing);
    expect(advance({ ...still, index: 2 }, { type: 'toggle' }, 4)).toEqual({ ...playing, index: 2 });
    expect(advance({ ...playing, index: 2 }, { type: 'toggle' }, 4)).toEqual({ ...still, index: 2 });
  });

  test('who moves by hand pauses, and stays within the frames', () => {
    const at2 = { ...playing, index: 2 };
    expect(advance(at2, { type: 'move', by: -1 }, 4)).toEqual({ ...still, index: 1 });
    expect(advance(at2, { type: 'move', by: 5 }, 4)).toEqual({ ...still, index: 3 });
    expect(advance(at2, { type: 'seek', index: -3 }, 4)).toEqual(still);
  });

  test('a single frame does not play', () => {
    expect(advance(still, { type: 'toggle' }, 1)).toEqual(still);
  });

  test('another speed changes nothing else', () => {
    expect(advance(playing, { type: 'speed', speed: 4 }, 4)).toEqual({ ...playing, speed: 4 });
    expect(frameMs({ speed: 4 })).toBe(frameMs({ speed: 1 }) / 4);
  });
});
