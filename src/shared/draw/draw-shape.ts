import type { FrameCast, Shape, ShapeFlag } from '../rl/frame.ts';
import { assertNever } from '../std/assert-never.ts';
import { type PaintName, paintOf } from './palette.ts';
import { element, escapeText } from './svg.ts';
import type { Scale } from './view.ts';

/** What shapes of one picture are drawn with. */
export interface Pen {
  readonly scale: Scale;
  readonly cast: FrameCast;
  /** Paint of each team. */
  readonly teams: readonly PaintName[];
  /** A tooltip for every entity. */
  readonly hasTitles: boolean;
}

/** Agents are never drawn smaller than this, pixels. */
const leastRadius = 3.5;
/** From this radius on a place is drawn as an area that one sees through, pixels. */
const areaRadius = 7;
/** In a body of this radius there is room for a text, pixels. */
const textRadius = 6;

const has = (shape: Shape, flag: ShapeFlag): boolean => shape.flags.includes(flag);

const text = (x: number, y: number, size: number, paint: PaintName, content: string): string =>
  element(
    'text',
    { x, y, 'font-size': size, 'text-anchor': 'middle', 'dominant-baseline': 'central', class: `f-${paint}` },
    escapeText(content),
  );

/** Part of a circle, clockwise from the top: a level. */
function arc(x: number, y: number, r: number, level: number, paint: PaintName, width: number): string {
  return element('circle', {
    cx: x,
    cy: y,
    r,
    pathLength: 100,
    'stroke-dasharray': `${Math.round(level * 100)} 100`,
    transform: `rotate(-90 ${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10})`,
    fill: 'none',
    'stroke-width': width,
    class: `s-${paint}`,
  });
}

function circle(
  x: number,
  y: number,
  r: number,
  more: Readonly<Record<string, string | number | null>>,
): string {
  return element('circle', { cx: x, cy: y, r, ...more });
}

/** What is said, or left to wait for, stands beside a body. */
function beside(shape: Shape, x: number, y: number, r: number): string {
  if (shape.text === '') return '';
  if (has(shape, 'speaking')) return text(x + r + 6, y - r - 3, 11, 'ink', `“${shape.text}”`);
  return has(shape, 'dead') || r < textRadius ? text(x + r + 5, y, 9, 'ink', shape.text) : '';
}

function drawDead(x: number, y: number, r: number, paint: PaintName): string {
  const reach = 0.7 * r;
  const [left, right] = [Math.round((x - reach) * 10) / 10, Math.round((x + reach) * 10) / 10];
  const [top, bottom] = [Math.round((y - reach) * 10) / 10, Math.round((y + reach) * 10) / 10];
  return element('path', {
    d: `M${left} ${top}L${right} ${bottom}M${right} ${top}L${left} ${bottom}`,
    'stroke-width': 1.5,
    'stroke-opacity': '0.55',
    class: `s-${paint}`,
  });
}

function drawAgent(shape: Shape, { scale, teams }: Pen): string {
  const [x, y] = [scale.x(shape.x), scale.y(shape.y)];
  const r = Math.max(leastRadius, scale.length(shape.extentX));
  const paint = paintOf(shape, teams);
  if (has(shape, 'dead')) return drawDead(x, y, r, paint) + beside(shape, x, y, r);
  const isHidden = has(shape, 'hidden');
  const parts = [
    circle(x, y, r, {
      class: `f-${paint} s-${isHidden ? paint : 'paper'}`,
      'fill-opacity': isHidden ? '0.25' : null,
      'stroke-dasharray': isHidden ? '2 2' : null,
    }),
  ];
  if (shape.heading !== null) parts.push(drawHeading(x, y, r, shape.heading, paint));
  if (shape.level !== null) {
    parts.push(circle(x, y, r + 2, { fill: 'none', 'stroke-width': 1.5, class: 's-edge' }));
    parts.push(arc(x, y, r + 2, shape.level, paint, 1.5));
  }
  if (has(shape, 'holding')) parts.push(circle(x, y, r + 4, { fill: 'none', class: 's-ink' }));
  if (has(shape, 'carrying')) parts.push(circle(x, y - r, 2.5, { class: 'f-gold s-paper' }));
  if (shape.text !== '' && r >= textRadius && !has(shape, 'speaking'))
    parts.push(text(x, y, Math.min(12, 1.3 * r), 'paper', shape.text));
  else if (has(shape, 'scripted')) parts.push(circle(x, y, 0.25 * r, { class: 'f-paper' }));
  return parts.join('') + beside(shape, x, y, r);
}

function drawHeading(x: number, y: number, r: number, heading: number, paint: PaintName): string {
  const [dx, dy] = [Math.cos(heading), -Math.sin(heading)];
  return element('line', {
    x1: x + dx * r,
    y1: y + dy * r,
    x2: x + dx * (1.5 * r + 2),
    y2: y + dy * (1.5 * r + 2),
    'stroke-width': 1.5,
    class: `s-${paint}`,
  });
}

/** How an area or a thing that nobody is looks: see-through where it is large, dashed where it is of no use now. */
function placeLook(shape: Shape, size: number, paint: PaintName): Record<string, string | number | null> {
  const isClosed = has(shape, 'closed');
  const isSolid = shape.role === 'obstacle' || size < areaRadius;
  const opacity = isClosed ? '0.12' : '0.18';
  return {
    class: `f-${paint} s-${paint}`,
    'fill-opacity': isSolid && !isClosed ? null : opacity,
    'stroke-dasharray': isClosed ? '4 3' : null,
  };
}

function drawPlace(shape: Shape, { scale, teams }: Pen): string {
  const [x, y] = [scale.x(shape.x), scale.y(shape.y)];
  const r = Math.max(2.5, scale.length(shape.extentX));
  const disc = circle(x, y, r, placeLook(shape, r, paintOf(shape, teams)));
  const level = shape.level === null ? '' : arc(x, y, r, shape.level, paintOf(shape, teams), 3);
  return disc + level + (shape.text === '' ? '' : text(x, y + 0.6 * r, 9, 'ink', shape.text));
}

function drawRing(shape: Shape, { scale, teams }: Pen): string {
  const [x, y, r] = [scale.x(shape.x), scale.y(shape.y), scale.length(shape.extentX)];
  const paint = paintOf(shape, teams);
  if (shape.level !== null) return arc(x, y, r, shape.level, paint, 3);
  const isReach = shape.role === 'range' || shape.role === 'sight';
  return circle(x, y, r, {
    fill: 'none',
    'stroke-width': isReach ? 1 : 1.5,
    'stroke-opacity': isReach ? '0.4' : null,
    'stroke-dasharray': shape.role === 'sight' ? '3 3' : null,
    class: `s-${paint}`,
  });
}

function drawRectangle(shape: Shape, { scale, teams }: Pen): string {
  const [width, height] = [scale.length(2 * shape.extentX), scale.length(2 * shape.extentY)];
  const box = { x: scale.x(shape.x - shape.extentX), y: scale.y(shape.y + shape.extentY), width, height };
  const paint = paintOf(shape, teams);
  if (shape.role === 'field') return element('rect', { ...box, class: `f-${paint} s-edge` });
  if (shape.role === 'sight')
    return element('rect', { ...box, fill: 'none', 'stroke-dasharray': '3 3', class: `s-${paint}` });
  const isClosed = has(shape, 'closed');
  const look = {
    rx: 0.2 * Math.min(width, height),
    class: `f-${paint} s-${isClosed ? paint : 'paper'}`,
    'fill-opacity': isClosed ? '0.2' : null,
    'stroke-dasharray': isClosed ? '3 2' : null,
  };
  const size = Math.min(12, 0.7 * height);
  const content =
    shape.text === ''
      ? ''
      : text(scale.x(shape.x), scale.y(shape.y), size, isClosed ? 'ink' : 'paper', shape.text);
  return element('rect', { ...box, ...look }) + content;
}

/** How lines of some roles look. */
const dashes: Readonly<Record<string, string>> = { heal: '4 2', speech: '1 4' };

function drawLine(shape: Shape, { scale, teams }: Pen): string {
  if (shape.extentX === 0 && shape.extentY === 0) return '';
  const paint = paintOf(shape.role === 'heal' ? { ...shape, team: null } : shape, teams);
  const [x2, y2] = [scale.x(shape.x + shape.extentX), scale.y(shape.y + shape.extentY)];
  const line = element('line', {
    x1: scale.x(shape.x),
    y1: scale.y(shape.y),
    x2,
    y2,
    'stroke-width': 1.3,
    'stroke-opacity': '0.75',
    'stroke-dasharray': dashes[shape.role] ?? null,
    'stroke-linecap': shape.role === 'speech' ? 'round' : null,
    class: `s-${paint}`,
  });
  return line + circle(x2, y2, 2, { class: `f-${paint}` });
}

function drawBare(shape: Shape, pen: Pen): string {
  switch (shape.kind) {
    case 'disc':
      return shape.entity !== null && shape.entity < pen.cast.numAgents
        ? drawAgent(shape, pen)
        : drawPlace(shape, pen);
    case 'ring':
      return drawRing(shape, pen);
    case 'rectangle':
      return drawRectangle(shape, pen);
    case 'line':
      return drawLine(shape, pen);
    case 'label':
      return text(pen.scale.x(shape.x), pen.scale.y(shape.y), 11, 'ink', shape.text);
    default:
      return assertNever(shape.kind);
  }
}

/** What a tooltip says: who it is, what, and how it is. */
function titleOf({ entity, role, level, flags, text: said }: Shape, { cast }: Pen): string {
  const name = entity === null ? role : (cast.entities[entity] ?? role);
  const kind = entity === null || name === role || name.startsWith(`${role}_`) ? [] : [role];
  const share = level === null ? [] : [`${Math.round(level * 100)} %`];
  return [name, ...kind, ...share, ...flags, ...(said === '' ? [] : [`“${said}”`])].join(', ');
}

/** A shape as SVG elements. */
export function drawShape(shape: Shape, pen: Pen): string {
  const drawn = drawBare(shape, pen);
  const isNamed = pen.hasTitles && shape.entity !== null && shape.kind !== 'line' && drawn !== '';
  return isNamed ? `<g><title>${escapeText(titleOf(shape, pen))}</title>${drawn}</g>` : drawn;
}
