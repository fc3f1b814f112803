/** Pictures of frames as SVG text: knows no window, no file. */
export {
  animateFrames,
  captionOf,
  type DrawOptions,
  drawFrames,
  frameDrawer,
  type PictureSize,
} from './draw-frames.ts';
export { teamPaints } from './palette.ts';
export { fitView, type View } from './view.ts';
