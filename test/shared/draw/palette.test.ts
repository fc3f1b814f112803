import { describe, expect, test } from 'vitest';
import { paintOf, paints, stylesheet, teamPaintNames, teamPaints } from '../../../src/shared/draw/palette.ts';
import { shape } from '../../support/frames.ts';

type Colour = readonly [red: number, green: number, blue: number];

const linear = (byte: number): number => {
  const share = byte / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const colourOf = (hex: string): Colour =>
  [1, 3, 5].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16))) as unknown as Colour;

const luminance = ([red, green, blue]: Colour): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

const contrast = (a: Colour, b: Colour): number => {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
};

/** Viénot, Brettel, Mollon 1999: what eyes without green or red cones see of a colour, in linear RGB. */
const deficient: Readonly<Record<string, readonly Colour[]>> = {
  deuteranopia: [
    [0.29275, 0.70725, 0],
    [0.29275, 0.70725, 0],
    [-0.02234, 0.02234, 1],
  ],
  protanopia: [
    [0.11238, 0.88762, 0],
    [0.11238, 0.88762, 0],
    [0.00401, -0.00401, 1],
  ],
};

const seen = (rows: readonly Colour[], colour: Colour): Colour =>
  rows.map((row) => row.reduce((sum, weight, i) => sum + weight * (colour[i] ?? 0), 0)) as unknown as Colour;

/** Distance as the eye feels it, roughly: of cube roots, as lightness is. */
const distance = (a: Colour, b: Colour): number =>
  Math.hypot(...a.map((value, i) => Math.cbrt(Math.max(0, value)) - Math.cbrt(Math.max(0, b[i] ?? 0))));

const sides = [
  ['light', 0],
  ['dark', 1],
] as const;

describe('paints', () => {
  test.each(sides)('on %s paper every team and the text can be read', (_name, side) => {
    const paper = colourOf(paints.paper[side]);
    for (const name of [...teamPaintNames, 'ink'] as const)
      expect([name, contrast(colourOf(paints[name][side]), paper) > 3]).toEqual([name, true]);
  });

  test.each(
    sides.flatMap(([name, side]) => Object.keys(deficient).map((kind) => [name, side, kind] as const)),
  )('on %s paper (%i) eyes with %s tell the first four teams apart', (_name, side, kind) => {
    const colours = teamPaintNames
      .slice(0, 4)
      .map((name) => seen(deficient[kind] ?? [], colourOf(paints[name][side])));
    const apart = colours.flatMap((a, i) => colours.slice(i + 1).map((b) => distance(a, b)));
    expect(Math.min(...apart)).toBeGreaterThan(0.15);
  });
});

describe('teamPaints', () => {
  test('a team whose name is a colour has it, whatever its place', () => {
    expect(teamPaints(['red', 'blue'])).toEqual(['vermillion', 'blue']);
    expect(teamPaints(['ally', 'enemy'])).toEqual(['blue', 'vermillion']);
  });

  test('others get what is left, each another', () => {
    expect(teamPaints(['leader', 'adversary', 'good'])).toEqual(['green', 'vermillion', 'blue']);
    expect(new Set(teamPaints(['a', 'b', 'c', 'd', 'e'])).size).toBe(5);
    expect(teamPaints(['a', 'b', 'c', 'd', 'e', 'f'])).toHaveLength(6);
  });
});

describe('paintOf', () => {
  test('is the team, else the role, else stone', () => {
    expect(paintOf(shape({ role: 'point', team: 1 }), ['vermillion', 'blue'])).toBe('blue');
    expect(paintOf(shape({ role: 'goal_1' }), [])).toBe('gold');
    expect(paintOf(shape({ role: 'whatever' }), [])).toBe('stone');
  });
});

describe('stylesheet', () => {
  test('has every paint for both schemes, below .gw alone', () => {
    const [light = '', dark = ''] = stylesheet().split('@media (prefers-color-scheme:dark)');
    expect(light).toContain(`.gw .f-blue{fill:${paints.blue[0]}}`);
    expect(dark).toContain(`.gw .s-blue{stroke:${paints.blue[1]}}`);
    expect(
      stylesheet()
        .match(/}[^}]*{/g)
        ?.every((rule) => /^}(@media|\.gw )|^}{/.test(rule) || rule.includes('.gw ')),
    ).toBe(true);
  });
});
