import type { Shape } from '../rl/frame.ts';

/**
 * Colours by name, on light paper and on dark. Those of teams follow Okabe and Ito's set, which eyes without red or green cones
 * tell apart, darkened on light paper so that lines can be seen.
 */
export const paints = {
  blue: ['#0072b2', '#56b4e9'],
  vermillion: ['#d55e00', '#f0843c'],
  green: ['#009e73', '#7be8c6'],
  purple: ['#8f3f78', '#b85f9c'],
  gold: ['#a87400', '#e6b422'],
  ink: ['#2b2f36', '#dfe2e7'],
  stone: ['#80868f', '#8a909b'],
  edge: ['#d3d7dd', '#41464f'],
  ground: ['#f6f7f9', '#24272c'],
  paper: ['#ffffff', '#1b1d21'],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>;
export type PaintName = keyof typeof paints;

/** What teams are painted with, in the order in which it is given out. */
export const teamPaintNames = ['blue', 'vermillion', 'green', 'purple', 'gold'] as const;

/** Groups whose name says which colour they expect, or on which side they are. */
const expected: Readonly<Record<string, PaintName>> = {
  blue: 'blue',
  ally: 'blue',
  good: 'blue',
  red: 'vermillion',
  enemy: 'vermillion',
  adversary: 'vermillion',
  eve: 'vermillion',
};

/** A paint for each group; no two of the first five share one. */
export function teamPaints(teams: readonly string[]): PaintName[] {
  const wanted = teams.map((team) => expected[team]);
  const free = teamPaintNames.filter((paint) => !wanted.includes(paint));
  let next = 0;
  return wanted.map(
    (paint) => paint ?? free[next++] ?? teamPaintNames[next % teamPaintNames.length] ?? 'ink',
  );
}

/** What nobody owns, by what it is. */
const rolePaints: Readonly<Record<string, PaintName>> = {
  field: 'ground',
  obstacle: 'stone',
  food: 'green',
  apple: 'green',
  forest: 'green',
  supply: 'green',
  heal: 'green',
  berry: 'purple',
  goal: 'gold',
  lock: 'gold',
};

/** The paint of a shape: its team's, else that of its role, else stone. goal_0, goal_1 are goals. */
export function paintOf({ team, role }: Shape, teamPaint: readonly PaintName[]): PaintName {
  return (team === null ? null : teamPaint[team]) ?? rolePaints[role.replace(/_\d+$/, '')] ?? 'stone';
}

function rules(side: 0 | 1): string {
  return Object.entries(paints)
    .map(([name, colours]) => `.gw .f-${name}{fill:${colours[side]}}.gw .s-${name}{stroke:${colours[side]}}`)
    .join('');
}

/** Classes f-PAINT and s-PAINT (fill and stroke) below .gw, light or dark as the reader has it. */
export function stylesheet(): string {
  const text = '.gw text{font-family:system-ui,sans-serif}';
  return `${text}${rules(0)}@media (prefers-color-scheme:dark){${rules(1)}}`;
}
