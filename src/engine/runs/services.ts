import type { EventName, EventPayload } from '../../shared/contract/events.ts';
import type { CoachEdl, CoachFace, PromptSource } from '../coach/types.ts';
import type { EdlHost, TextResult } from '../edl/types.ts';
import type { LearnerCatalogue } from '../learn/index.ts';
import type { Store } from '../store/index.ts';

/** The language services of an engine, with the scenarios of its build. */
export interface EdlServices extends CoachEdl {
  scenarios(): readonly string[];
  /**
   * The text with the files it extends put in: one that means the same by itself. `readText` finds the file that a text in
   * the file `from` names; null: there is none.
   */
  flatten(text: string, path: string, readText: NonNullable<EdlHost['text']>): TextResult;
}

/** What a supervisor is composed of. */
export interface SupervisorOptions {
  /** Absolute path of the workspace. */
  readonly root: string;
  readonly store: Store;
  readonly emit: <E extends EventName>(event: E, payload: EventPayload<E>) => void;
  readonly edl: EdlServices;
  readonly coach: CoachFace;
  /** What `learner` blocks start from. */
  readonly learners: LearnerCatalogue;
  /** Findings in a prompt file; none when it is sound. */
  readonly checkPrompt?: (text: string) => readonly string[];
  /** Prompt files as they are now; what a study began with is on its record. Default: the workspace's and the shipped ones. */
  readonly prompts?: PromptSource;
  /** Trainers at work at the same time. Default: the cores this process may use. */
  readonly maxTrainers?: number;
  /** Entry of the trainer process. */
  readonly trainerPath?: string;
  /** Wall time between timed checkpoints. Default: 20 s. */
  readonly checkpointEveryMs?: number;
}

/** The options with their defaults, as the parts of this folder share them. */
export type RunServices = Required<Omit<SupervisorOptions, 'checkPrompt'>> & {
  /** Wall clock in ms for records and views; decides nothing. */
  readonly now: () => number;
};
