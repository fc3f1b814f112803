import type { RunView, StudyView } from '../../shared/contract/runs.ts';

export interface StartOptions {
  /** Relative to the workspace, or absolute. */
  readonly experimentPath: string;
  /** Only this arm. */
  readonly arm?: string | undefined;
  /** Only this seed. */
  readonly seed?: number | undefined;
  /** Takes up this study instead; the file is not read again. */
  readonly resume?: string | undefined;
}

/**
 * Runs studies: checks the experiment, keeps at most as many trainers busy as there are cores, drives every run
 * round by round, and takes up what was interrupted. One per engine; calls return when the change is on record.
 */
export interface SupervisorFace {
  start(options: StartOptions): Promise<StudyView>;
  /** Takes up a stopped, interrupted or failed study where its checkpoints stand, unless it is stopped before it goes on. */
  resume(studyId: string): Promise<StudyView>;
  /** After the current iteration, of a round or of a trial; no coach is asked meanwhile. */
  pause(studyId: string): Promise<StudyView>;
  unpause(studyId: string): Promise<StudyView>;
  /** Ends every trainer of the study after a checkpoint; it can be resumed. */
  stop(studyId: string): Promise<StudyView>;
  /** The manual trigger: the coach is asked at the run's next boundary. Throws: input.invalid when nothing can come of it. */
  requestProposal(runId: string): void;
  /** Views as on record, and ends that a failing record could not take. */
  list(): StudyView[];
  get(studyId: string): StudyView;
  getRun(runId: string): RunView;
  readonly runningRuns: number;
  /** Stops every study after a checkpoint and ends all trainers. */
  close(): Promise<void>;
  /** Settles when the study has no run left to do (finished, failed, stopped). */
  whenSettled(studyId: string): Promise<StudyView>;
}
