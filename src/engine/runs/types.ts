import type { ProposalView } from '../../shared/contract/coach.ts';
import type { LogLine } from '../../shared/contract/engine.ts';
import type { MetricPoint, RunView, StudyView } from '../../shared/contract/runs.ts';

export interface StartOptions {
  /** Relative to the workspace, or absolute. */
  readonly experimentPath: string;
  /** Only this arm. */
  readonly arm?: string;
  /** Only this seed. */
  readonly seed?: number;
}

/** What the supervisor tells; the names of the contract's events. */
export interface SupervisorEvents {
  'study.changed': (study: StudyView) => void;
  'run.changed': (run: RunView) => void;
  'metrics.appended': (event: { readonly runId: string; readonly points: readonly MetricPoint[] }) => void;
  'proposal.changed': (proposal: ProposalView) => void;
  'log.appended': (line: LogLine) => void;
}

/**
 * Runs studies: checks the experiment, keeps at most as many trainers busy as there are cores, drives every run
 * round by round, and takes up what was interrupted. One per engine; calls return when the change is on record.
 */
export interface SupervisorFace {
  start(options: StartOptions): Promise<StudyView>;
  /** Takes up a stopped, interrupted or failed study where its checkpoints stand. */
  resume(studyId: string): Promise<StudyView>;
  /** After the current iteration. */
  pause(studyId: string): Promise<StudyView>;
  unpause(studyId: string): Promise<StudyView>;
  /** Ends every trainer of the study after a checkpoint; it can be resumed. */
  stop(studyId: string): Promise<StudyView>;
  /** The manual trigger: the coach is asked at the run's next boundary. */
  requestProposal(runId: string): void;
  list(): StudyView[];
  get(studyId: string): StudyView;
  readonly runningRuns: number;
  on<E extends keyof SupervisorEvents>(event: E, listener: SupervisorEvents[E]): () => void;
  /** Stops every study after a checkpoint and ends all trainers. */
  close(): Promise<void>;
  /** Settles when the study has no run left to do (finished, failed, stopped). */
  whenSettled(studyId: string): Promise<StudyView>;
}
