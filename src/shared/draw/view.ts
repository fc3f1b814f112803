import { eachBody, type Frame } from '../rl/frame.ts';

/** Part of the world that a picture shows, in metres. */
export interface View {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Share of the view that is left free around what is in it. */
const margin = 0.03;

/**
 * What shows the boxes of all frames, and whoever has left them. Throws: RangeError where there is no frame.
 * Cost: no object per shape, so that a film of thousands of frames opens at once.
 */
export function fitView(frames: readonly Frame[]): View {
  const view = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  const take = (left: number, bottom: number, right: number, top: number): void => {
    view.left = Math.min(view.left, left);
    view.bottom = Math.min(view.bottom, bottom);
    view.right = Math.max(view.right, right);
    view.top = Math.max(view.top, top);
  };
  for (const frame of frames) {
    const { left, bottom, right, top } = frame.box;
    take(left, bottom, right, top);
    eachBody(frame, (x, y, extentX, extentY) => take(x - extentX, y - extentY, x + extentX, y + extentY));
  }
  if (frames.length === 0) throw new RangeError('there is no frame to draw');
  const { left, bottom, right, top } = view;
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
