import { type Frame, type FrameBox, type FrameCast, shapesOf } from '../rl/frame.ts';
import { drawShape, type Pen } from './draw-shape.ts';
import { stylesheet, teamPaints } from './palette.ts';
import { element, escapeText } from './svg.ts';
import { fitView, Scale } from './view.ts';

export interface DrawOptions {
  /** Of one frame, pixels; default 480 for one, 220 each for several. */
  readonly width?: number;
  /** Frames side by side; default: as many as make the sheet about as wide as high. */
  readonly columns?: number;
}

/** Pixels between frames, and of the line below each. */
const gap = 10;
const captionHeight = 16;
const legendHeight = 20;
const defaultWidths = { one: 480, many: 220 };

/** What stands below a frame: "step 12, red 100, blue 0, regime ambush". */
export function captionOf({ step, status, regime }: Frame): string {
  const parts = [`step ${step}`, status, regime === null ? '' : `regime ${regime}`];
  return parts.filter((part) => part !== '').join(', ');
}

/** Lines between the cells of a grid world. */
function drawGrid({ left, bottom, right, top, cell }: FrameBox, scale: Scale): string {
  if (cell <= 0 || (right - left) / cell > 1000 || (top - bottom) / cell > 1000) return '';
  const round = (pixels: number) => Math.round(pixels * 10) / 10;
  const along = (from: number, to: number) =>
    Array.from({ length: Math.max(0, Math.round((to - from) / cell) - 1) }, (_, i) => from + (i + 1) * cell);
  const columns = along(left, right).map(
    (x) => `M${round(scale.x(x))} ${round(scale.y(bottom))}V${round(scale.y(top))}`,
  );
  const rows = along(bottom, top).map(
    (y) => `M${round(scale.x(left))} ${round(scale.y(y))}H${round(scale.x(right))}`,
  );
  return element('path', { d: [...columns, ...rows].join(''), class: 's-edge' });
}

/** The inside of one picture. */
function drawContent(frame: Frame, pen: Pen): string {
  const { scale } = pen;
  const { left, bottom, right, top } = frame.box;
  const ground = element('rect', {
    x: scale.x(left),
    y: scale.y(top),
    width: scale.length(right - left),
    height: scale.length(top - bottom),
    class: 'f-ground s-edge',
  });
  const shapes = shapesOf(frame).map((shape) => drawShape(shape, pen));
  return ground + drawGrid(frame.box, scale) + shapes.join('');
}

/** A picture with its caption at a place of the sheet; nothing of it shows outside its own frame. */
function drawPicture(frame: Frame, pen: Pen, x: number, y: number, more = ''): string {
  const { width, height } = pen.scale;
  const picture = element('svg', { x, y, width, height }, drawContent(frame, pen));
  const place = { x: x + 2, y: y + height + captionHeight - 5, 'font-size': 11, class: 'f-ink' };
  return picture + element('text', place, escapeText(captionOf(frame))) + more;
}

const swatchWidth = (team: string): number => 26 + 6.5 * team.length;

const legendWidth = ({ teams }: FrameCast): number => teams.reduce((sum, team) => sum + swatchWidth(team), 0);

function drawLegend({ teams }: FrameCast, paint: readonly string[], x: number, y: number): string {
  let next = x;
  return teams
    .map((team, i) => {
      const at = next;
      next += swatchWidth(team);
      const swatch = element('circle', { cx: at + 6, cy: y, r: 5, class: `f-${paint[i]}` });
      const label = { x: at + 15, y: y + 4, 'font-size': 11, class: 'f-ink' };
      return swatch + element('text', label, escapeText(team));
    })
    .join('');
}

interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly label: string;
}

function drawSheet({ width, height, label }: Sheet, content: string): string {
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  const root = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${w} ${h}`,
    width: w,
    height: h,
    class: 'gw',
    role: 'img',
    'aria-label': label,
  };
  const paper = element('rect', { width: w, height: h, class: 'f-paper' });
  return `${element('svg', root, `<style>${stylesheet()}</style>${paper}${content}`)}\n`;
}

const labelOf = ({ scenario }: FrameCast, [first, ...others]: readonly Frame[]): string =>
  `${scenario}, ${others.length === 0 ? `step ${first?.step ?? 0}` : `${others.length + 1} frames from step ${first?.step ?? 0} to ${others.at(-1)?.step ?? 0}`}`;

function penFor(frames: readonly Frame[], cast: FrameCast, width: number, hasTitles: boolean): Pen {
  return { scale: new Scale(fitView(frames), width), cast, teams: teamPaints(cast.teams), hasTitles };
}

/** Columns that make a sheet about as wide as high. */
function usualColumns(count: number, { width, height }: Scale): number {
  return Math.min(count, Math.max(1, Math.round(Math.sqrt((count * (height + captionHeight)) / width))));
}

/**
 * Frames as one SVG document, one picture or a sheet of several, all of the same part of the world. It follows the reader's light
 * or dark scheme and needs nothing from outside; a single picture has tooltips.
 * Throws: RangeError where there is no frame.
 */
export function drawFrames(frames: readonly Frame[], cast: FrameCast, options: DrawOptions = {}): string {
  const isOne = frames.length === 1;
  const pen = penFor(frames, cast, options.width ?? (isOne ? defaultWidths.one : defaultWidths.many), isOne);
  const { width, height } = pen.scale;
  const columns = Math.min(frames.length, options.columns ?? usualColumns(frames.length, pen.scale));
  const rowHeight = height + captionHeight + gap;
  const pictures = frames.map((frame, i) =>
    drawPicture(frame, pen, gap + (i % columns) * (width + gap), gap + Math.floor(i / columns) * rowHeight),
  );
  const bottom = gap + Math.ceil(frames.length / columns) * rowHeight;
  const legend = drawLegend(cast, pen.teams, gap, bottom + 2);
  const sheet = {
    width: gap + columns * (width + gap),
    height: bottom + legendHeight - gap / 2,
    label: labelOf(cast, frames),
  };
  return drawSheet(sheet, pictures.join('') + legend);
}

/** Of a picture without what stands below it, pixels. */
export interface PictureSize {
  /** At most so wide; default 480. */
  readonly width?: number;
  /** At most so high; default: as high as it comes to. */
  readonly height?: number;
}

/**
 * Draws frames one at a time, for players: each as an SVG document of its own, all of the same part of the world. It gives the
 * picture of the frame at an index.
 * Throws: RangeError where there is no frame, and for an index that none has.
 * Cost: looks at every frame once, and at one for each picture.
 */
export function frameDrawer(
  frames: readonly Frame[],
  cast: FrameCast,
  { width = defaultWidths.one, height = Number.POSITIVE_INFINITY }: PictureSize = {},
): (index: number) => string {
  const { left, bottom, right, top } = fitView(frames);
  const fitting = Math.min(width, (height * (right - left)) / (top - bottom));
  const pen = penFor(frames, cast, fitting, false);
  return (index) => {
    const frame = frames[index];
    if (frame === undefined) throw new RangeError(`there is no frame ${index}`);
    return drawSingle(cast, pen, labelOf(cast, [frame]), drawPicture(frame, pen, gap, gap));
  };
}

/** One place for pictures, with the legend below it. */
function drawSingle(cast: FrameCast, pen: Pen, label: string, pictures: string): string {
  const bottom = gap + pen.scale.height + captionHeight + gap;
  const legend = drawLegend(cast, pen.teams, gap, bottom + 2);
  const width = Math.max(pen.scale.width, legendWidth(cast)) + 2 * gap;
  const sheet = { width, height: bottom + legendHeight - gap / 2, label };
  return drawSheet(sheet, pictures + legend);
}

/** When one of several frames shows, over and over. */
function showing(index: number, count: number, seconds: number): string {
  const share = (i: number) => String(Math.round((i / count) * 1e4) / 1e4);
  const isFirst = index === 0;
  const isLast = index === count - 1;
  const values = [...(isFirst ? [] : ['hidden']), 'visible', ...(isLast ? [] : ['hidden'])];
  const times = [...(isFirst ? [] : ['0']), share(index), ...(isLast ? [] : [share(index + 1)])];
  return element('animate', {
    attributeName: 'visibility',
    values: values.join(';'),
    keyTimes: times.join(';'),
    dur: `${Math.round(seconds * count * 100) / 100}s`,
    calcMode: 'discrete',
    repeatCount: 'indefinite',
  });
}

/**
 * Frames as one SVG document that plays them over and over, each for so many seconds. What plays no animations shows the first.
 * Throws: RangeError where there is no frame.
 */
export function animateFrames(
  frames: readonly Frame[],
  cast: FrameCast,
  { width = defaultWidths.one, seconds = 0.15 }: { readonly width?: number; readonly seconds?: number } = {},
): string {
  const pen = penFor(frames, cast, width, false);
  const pictures = frames.map((frame, i) => {
    const animation = frames.length === 1 ? '' : showing(i, frames.length, seconds);
    const visibility = i === 0 ? 'visible' : 'hidden';
    return element('g', { visibility }, drawPicture(frame, pen, gap, gap, animation));
  });
  return drawSingle(cast, pen, labelOf(cast, frames), pictures.join(''));
}
