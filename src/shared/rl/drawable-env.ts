import type { Frame, FrameDetail } from './frame.ts';
import type { PlaybackEnv, RecordableEnv } from './playback.ts';

/** A batch whose copies can be looked at. */
export interface DrawableEnv extends RecordableEnv {
  /**
   * What a copy looks like now, for drawing. What rules and regimes make of attributes shows as far as the scenario keeps it in
   * its state. Nothing of the copy changes; steps cost nothing more for it.
   * Throws: RangeError for a copy that is not there; sim.badFrame where the scenario tells of what cannot be drawn.
   */
  frame(copy: number, detail?: FrameDetail): Frame;
  /** The same at the end of the episode that ended in the step just taken. Throws: RangeError also where none ended. */
  finalFrame(copy: number, detail?: FrameDetail): Frame;
  createPlayback(numEnvs: number): DrawablePlayback;
}

/** A playback whose copies can be looked at. */
export interface DrawablePlayback extends PlaybackEnv {
  /**
   * What a copy looks like now; after the last step of its episode that is what `finalFrame` told of it. Throws: as
   * DrawableEnv.frame.
   */
  frame(copy: number, detail?: FrameDetail): Frame;
}
