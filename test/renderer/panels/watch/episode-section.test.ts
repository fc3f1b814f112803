import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test, vi } from 'vitest';
import { EpisodeSection } from '../../../../src/renderer/panels/watch/episode-section.tsx';
import { makePlay } from '../../support/fixtures.ts';

/** As a browser whose person wants less, or ordinary, motion. */
function show(isReduced: boolean): string {
  vi.stubGlobal('matchMedia', () => ({ matches: isReduced }));
  try {
    return renderToStaticMarkup(createElement(EpisodeSection, { play: makePlay() }));
  } finally {
    vi.unstubAllGlobals();
  }
}

describe('EpisodeSection', () => {
  test('a film of all steps and the end, with what the episode came to by group', () => {
    const html = show(false);
    expect(html).toContain('Episode 0 of stream 7. Its time was up after 2 steps.');
    expect(html).toContain('1 of 3');
    expect(html).toContain('step 1: red_0 left, blue_0 right');
    const rows = html.split('<tr>').map((row) => row.replaceAll(/<[^>]+>/g, ' ').replaceAll(/ +/g, ' '));
    expect(rows[2]).toContain('red its policy −2 coverage 0.5');
    expect(rows[3]).toContain('blue closest −1 –');
  });

  test('plays at once, but not for those who want less motion', () => {
    expect(show(false)).toContain('aria-label="Pause"');
    expect(show(true)).toContain('aria-label="Play"');
  });
});
