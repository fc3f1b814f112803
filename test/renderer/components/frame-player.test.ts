import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { FramePlayer, type FramePlayerProps } from '../../../src/renderer/components/frame-player.tsx';
import { duelCast, frameWith, shape } from '../../support/frames.ts';

const frames = [0, 1, 2].map((step) => frameWith([shape({ entity: 0, team: 0, x: step / 4 })], { step }));

const show = (props: Partial<FramePlayerProps> = {}): string =>
  renderToStaticMarkup(createElement(FramePlayer, { frames, cast: duelCast, label: 'a duel', ...props }));

describe('FramePlayer', () => {
  test('shows the first frame with what is told of it, and every control has a name', () => {
    const html = show({ describe: (index) => `frame ${index} is told` });
    const [, picture = ''] = /data:image\/svg\+xml,([^"]+)/.exec(html) ?? [];
    expect(decodeURIComponent(picture)).toContain('step 0');
    expect(html).toContain('frame 0 is told');
    for (const name of ['Play', 'One step back', 'One step on', 'Step', 'Speed'])
      expect(html).toContain(`aria-label="${name}"`);
    expect(html).toContain('1 of 3');
  });

  test('plays at once where it is told to; a single frame is a picture without controls', () => {
    expect(show({ isPlayingAtFirst: true })).toContain('aria-label="Pause"');
    const single = show({ isPlayingAtFirst: true, frames: frames.slice(0, 1) });
    expect(single).toContain('<img');
    expect(single).not.toMatch(/<button|<input/);
  });

  test('nothing can be stepped over the ends', () => {
    const disabled = [...show().matchAll(/<button[^>]*>/g)].filter(([tag]) => tag.includes('disabled'));
    expect(disabled.map(([tag]) => /aria-label="([^"]+)"/.exec(tag)?.[1])).toEqual(['One step back']);
    // A button that was pressed up to the end keeps the keyboard.
    expect(disabled.some(([tag]) => / disabled=/.test(tag))).toBe(false);
  });
});
