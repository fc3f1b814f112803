import { z } from 'zod';
import type { ScenarioManifest } from './manifest.ts';

/** Kinds of shapes, by their number in a frame's codes. */
export const shapeKinds = ['disc', 'ring', 'rectangle', 'line', 'label'] as const;
export type ShapeKind = (typeof shapeKinds)[number];

/**
 * What else is so of what a shape shows, by its bit. closed: of no use now; scripted: an agent that a built-in policy or
 * npc declarations play.
 */
export const shapeFlags = [
  'dead',
  'hidden',
  'carrying',
  'holding',
  'speaking',
  'closed',
  'scripted',
] as const;
export type ShapeFlag = (typeof shapeFlags)[number];

/** What of the world a picture shows when nothing lies outside. World metres, y up. */
export const frameBox = z.object({
  left: z.number(),
  bottom: z.number(),
  right: z.number(),
  top: z.number(),
  cell: z.number().describe('side of the cells of a grid world; 0: it is none'),
});
export type FrameBox = z.infer<typeof frameBox>;

/**
 * What a scenario tells of one copy at one moment, for drawing: packed, so that a hundred of the largest battles are a few
 * hundred kB. `shapesOf` reads it.
 */
export const frame = z.object({
  episode: z.number().describe('index in its stream'),
  step: z.int().describe('steps taken in the episode'),
  regime: z.string().nullable().describe('regime that the copy is in; null: the program has none'),
  box: frameBox,
  status: z.string().describe('a few words on the whole, such as the score; may be empty'),
  numbers: z.instanceof(Float32Array).describe('[n,6]: x, y, two extents, heading, level; NaN: it has none'),
  codes: z
    .instanceof(Int16Array)
    .describe(
      '[n,6]: kind + 8 * flags, entity, target, team, role, text; the last two index `texts`; -1: none',
    ),
  texts: z.array(z.string()),
});
export type Frame = z.infer<typeof frame>;

/** What one who asks for a frame wants beside the usual. */
export interface FrameDetail {
  /** Rings of role "range": how far something reaches. Default false. */
  readonly ranges?: boolean;
  /** Shapes of role "sight": how far somebody sees. Default false. */
  readonly sights?: boolean;
}

/** What all frames of an environment have in common. */
export const frameCast = z.object({
  scenario: z.string(),
  numAgents: z.int().describe('entities before this index are agents'),
  teams: z.array(z.string()).describe('names of the groups, which `team` indexes'),
  entities: z.array(z.string()).describe('names of the entities'),
});
export type FrameCast = z.infer<typeof frameCast>;

/**
 * One thing to draw. From frame to frame it is the same thing where kind, role, entity and target are.
 * Units: world metres, y up; heading in radians, counter-clockwise from east.
 */
export interface Shape {
  readonly kind: ShapeKind;
  /** What it is: the name of a group, of a set, of a type; "attack", "speech", "range". */
  readonly role: string;
  /** World entity that it is, or that a line starts from. */
  readonly entity: number | null;
  /** Of a line: the world entity that it leads to. */
  readonly target: number | null;
  /** Index of the manifest group that it belongs to. */
  readonly team: number | null;
  /** Centre; of a line its start. */
  readonly x: number;
  readonly y: number;
  /** Disc and ring: radius, twice. Rectangle: half its width and height. Line: from its start to its end. Label: 0. */
  readonly extentX: number;
  readonly extentY: number;
  readonly heading: number | null;
  /** 0..1: health, shield, load, progress. */
  readonly level: number | null;
  readonly flags: readonly ShapeFlag[];
  /** A few characters: a level, a word said, steps left. May be empty. */
  readonly text: string;
}

/** Numbers, and codes, of a shape. */
export const perShape = 6;

const orNone = (index: number): number | null => (index < 0 ? null : index);
const orNothing = (number: number): number | null => (Number.isNaN(number) ? null : number);

/** The shapes of a frame in the order in which they are drawn. Cost: an object per shape. */
export function shapesOf({ numbers, codes, texts }: Frame): Shape[] {
  return Array.from({ length: numbers.length / perShape }, (_, i) => {
    const [x = 0, y = 0, extentX = 0, extentY = 0, heading = Number.NaN, level = Number.NaN] =
      numbers.subarray(i * perShape);
    const [kind = 0, entity = -1, target = -1, team = -1, role = -1, text = -1] = codes.subarray(
      i * perShape,
    );
    return {
      kind: shapeKinds[kind & 7] ?? 'label',
      role: texts[role] ?? '',
      entity: orNone(entity),
      target: orNone(target),
      team: orNone(team),
      x,
      y,
      extentX,
      extentY,
      heading: orNothing(heading),
      level: orNothing(level),
      flags: shapeFlags.filter((_flag, bit) => ((kind >> (3 + bit)) & 1) === 1),
      text: texts[text] ?? '',
    };
  });
}

/** Tells place and extents of each disc and rectangle that is a world entity. Cost: no allocation. */
export function eachBody(
  { numbers, codes }: Frame,
  tell: (x: number, y: number, extentX: number, extentY: number) => void,
): void {
  for (let i = 0; i < numbers.length; i += perShape) {
    const kind = shapeKinds[(codes[i] ?? 0) & 7];
    if ((codes[i + 1] ?? -1) < 0 || (kind !== 'disc' && kind !== 'rectangle')) continue;
    tell(numbers[i] ?? 0, numbers[i + 1] ?? 0, numbers[i + 2] ?? 0, numbers[i + 3] ?? 0);
  }
}

/** A landmark goes by the smallest set that it is in: its place there behind the set's name, where there are several. */
function landmarkName(entity: number, sets: ScenarioManifest['sets']): string {
  const own = sets.filter((set) => !set.dynamic && set.entities.includes(entity));
  const smallest = own.reduce<(typeof own)[number] | null>(
    (least, set) => (least === null || set.entities.length < least.entities.length ? set : least),
    null,
  );
  if (smallest === null) return `landmark_${entity}`;
  const place = smallest.entities.indexOf(entity);
  return smallest.entities.length === 1 ? smallest.name : `${smallest.name}_${place}`;
}

/** What the frames of a scenario have in common. */
export function castOf({ name, groups, sets, numAgents }: ScenarioManifest): FrameCast {
  const agents = groups.flatMap((group) => group.agents);
  const numEntities = 1 + Math.max(numAgents - 1, ...sets.flatMap(({ entities }) => entities));
  return {
    scenario: name,
    numAgents,
    teams: groups.map((group) => group.name),
    entities: [
      ...agents,
      ...Array.from({ length: numEntities - numAgents }, (_, i) => landmarkName(numAgents + i, sets)),
    ],
  };
}
