import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync(new URL('../../../src/renderer/styles/tokens.css', import.meta.url), 'utf8');
const surfaces = ['background', 'surface', 'raised', 'hover', 'selected'];
const texts = ['text', 'muted'];
const pairs = [
  ...texts.flatMap((text) => surfaces.map((surface) => [text, surface])),
  ['accent', 'surface'],
  ['accent-strong', 'selected'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['good', 'surface'],
  ['warning', 'surface'],
  ['bad', 'surface'],
  ['bad', 'hover'],
  ['good', 'good-soft'],
  ['warning', 'warning-soft'],
  ['bad', 'bad-soft'],
  ['text', 'good-soft'],
  ['text', 'warning-soft'],
  ['text', 'bad-soft'],
  ['text', 'neutral-soft'],
] as [string, string][];

/** Colours by name of one theme's block. */
function themeColors(theme: string): ReadonlyMap<string, string> {
  const block = css.split(`[data-theme="${theme}"]`)[1]?.split('}')[0] ?? '';
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map((match) => [match[1] ?? '', match[2] ?? '']),
  );
}

/** WCAG 2 relative luminance of "#rrggbb". */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

describe.each(['light', 'dark', 'contrast'])('theme %s', (theme) => {
  const colors = themeColors(theme);

  test.each(pairs)('%s on %s has at least 4.5:1', (text, surface) => {
    const foreground = colors.get(text);
    const background = colors.get(surface);
    if (!foreground || !background) throw new Error(`theme ${theme} lacks --${text} or --${surface}`);
    expect(contrast(foreground, background)).toBeGreaterThanOrEqual(4.5);
  });

  test('every line of a chart has at least 3:1 on the surface', () => {
    const lines = Array.from({ length: 8 }, (_, index) => colors.get(`series-${index + 1}`) ?? '#ffffff');
    const ratios = lines.map((line) => contrast(line, colors.get('surface') ?? '#ffffff'));
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(3);
  });
});
