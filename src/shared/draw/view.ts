import { type Frame, shapesOf } from '../rl/frame.ts';

/** Part of the world that a picture shows, in metres. */
export interface View {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Share of the view that is left free around what is in it. */
const margin = 0.03;

/** What shows the boxes of all frames, and whoever has left them. Throws: RangeError where there is no frame. */
export function fitView(frames: readonly Frame[]): View {
  const sides = frames.flatMap((frame) => [
    frame.box,
    ...shapesOf(frame).flatMap(({ kind, entity, x, y, extentX, extentY }) => {
      const isBody = entity !== null && (kind === 'disc' || kind === 'rectangle');
      return isBody ? [{ left: x - extentX, bottom: y - extentY, right: x + extentX, top: y + extentY }] : [];
    }),
  ]);
  if (sides.length === 0) throw new RangeError('there is no frame to draw');
  const fold = (pick: (side: View) => number, choose: (a: number, b: number) => number) =>
    sides.map(pick).reduce((a, b) => choose(a, b));
  const [left, bottom] = [fold((side) => side.left, Math.min), fold((side) => side.bottom, Math.min)];
  const [right, top] = [fold((side) => side.right, Math.max), fold((side) => side.top, Math.max)];
  const free = margin * Math.max(right - left, top - bottom);
  return { left: left - free, bottom: bottom - free, right: right + free, top: top + free };
}

/** World metres to pixels of a picture of a view: x to the right, y downwards. */
export class Scale {
  readonly width: number;
  readonly height: number;
  readonly #view: View;
  readonly #perMetre: number;

  /** A picture so wide; its height follows. */
  constructor(view: View, width: number) {
    this.#view = view;
    this.#perMetre = width / (view.right - view.left);
    this.width = width;
    this.height = (view.top - view.bottom) * this.#perMetre;
  }

  x(metres: number): number {
    return (metres - this.#view.left) * this.#perMetre;
  }

  y(metres: number): number {
    return (this.#view.top - metres) * this.#perMetre;
  }

  length(metres: number): number {
    return metres * this.#perMetre;
  }
}
