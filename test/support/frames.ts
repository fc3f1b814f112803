import {
  type Frame,
  type FrameCast,
  type Shape,
  type ShapeFlag,
  shapeFlags,
  shapeKinds,
} from '../../src/shared/rl/frame.ts';

/** A disc at the origin that is nobody's, changed. */
export function shape(changes: Partial<Shape> = {}): Shape {
  return {
    kind: 'disc',
    role: 'agent',
    entity: null,
    target: null,
    team: null,
    x: 0,
    y: 0,
    extentX: 0.5,
    extentY: 0.5,
    heading: null,
    level: null,
    flags: [],
    text: '',
    ...changes,
  };
}

const bitsOf = (flags: readonly ShapeFlag[]): number =>
  flags.reduce((bits, flag) => bits | (1 << shapeFlags.indexOf(flag)), 0);

/** Packs shapes as the simulator does. */
export function frameWith(shapes: readonly Shape[], changes: Partial<Frame> = {}): Frame {
  const texts = [...new Set(shapes.flatMap(({ role, text }) => [role, text]))].filter((text) => text !== '');
  const numbers = shapes.flatMap(({ x, y, extentX, extentY, heading, level }) => [
    x,
    y,
    extentX,
    extentY,
    heading ?? Number.NaN,
    level ?? Number.NaN,
  ]);
  const codes = shapes.flatMap(({ kind, flags, entity, target, team, role, text }) => [
    shapeKinds.indexOf(kind) + 8 * bitsOf(flags),
    entity ?? -1,
    target ?? -1,
    team ?? -1,
    texts.indexOf(role),
    texts.indexOf(text),
  ]);
  return {
    episode: 0,
    step: 0,
    regime: null,
    box: { left: -1, bottom: -1, right: 1, top: 1, cell: 0 },
    status: '',
    numbers: new Float32Array(numbers),
    codes: new Int16Array(codes),
    texts,
    ...changes,
  };
}

/** Two teams of one agent each, and a landmark. */
export const duelCast: FrameCast = {
  scenario: 'duel',
  numAgents: 2,
  teams: ['red', 'blue'],
  entities: ['red_0', 'blue_0', 'landmark_0'],
};
