import type { CoachConfig } from '../coach/config.ts';
import type { CompiledEnvironment } from '../edl/types.ts';
import type { LearnerCatalogue } from '../learn/index.ts';
import type { LearnerConfig } from '../train/protocol.ts';
import type { DocumentProblem } from '../yaml/index.ts';
import type { Inheritance } from './experiment-coach.ts';
import type { EdlServices } from './services.ts';

/** An environment text as the experiment names it; a bare scenario gets the text of an empty environment. */
export interface EnvironmentSource {
  /** Relative to the workspace; null for a bare scenario. */
  readonly path: string | null;
  /** With the files it extends put in. */
  readonly text: string;
  readonly compiled: CompiledEnvironment;
}

/** One configuration of a study, everything inherited from the top level filled in. */
export interface ArmSpec {
  readonly name: string;
  readonly environment: EnvironmentSource;
  readonly learner: LearnerConfig;
  readonly coach: CoachConfig;
}

export interface ObjectiveSpec {
  readonly metric: string;
  readonly group: string;
  readonly better: 'higher' | 'lower';
  /** The best it can be, as the file says or the metric's own; null: not known. */
  readonly best: number | null;
  /** The aim in the person's own words, for the coach; empty if not given. */
  readonly words: string;
  readonly environment: EnvironmentSource;
  /** Built-in policies that play whole groups of the objective's environment. */
  readonly opponents: Readonly<Record<string, string>>;
  /** Fixed greedy episodes per evaluation. */
  readonly episodes: number;
}

/** An environment that no arm trains in and no change is decided by: where policies are scored for the report. */
export interface HeldOutSpec {
  /** Of the file, without ".edl". */
  readonly name: string;
  readonly environment: EnvironmentSource;
  /** Built-in policies that play whole groups there. */
  readonly opponents: Readonly<Record<string, string>>;
}

/** A checked experiment file: nothing in it can fail for a reason that was knowable before the start. */
export interface Experiment {
  readonly name: string;
  /** The file as read; part of the study's identity. */
  readonly text: string;
  /** Relative to the workspace. */
  readonly path: string;
  readonly budget: { readonly steps: number; readonly rounds: number };
  readonly seeds: readonly number[];
  readonly objective: ObjectiveSpec;
  /** Charged steps between evaluations. */
  readonly evaluateEverySteps: number;
  /** Built-in policies that play whole groups while training. */
  readonly opponents: Readonly<Record<string, string>>;
  readonly arms: readonly ArmSpec[];
  readonly heldOut: readonly HeldOutSpec[];
  /** Prompt files that any arm names: path and text. */
  readonly prompts: readonly { readonly path: string; readonly text: string }[];
}

/** A finding in an experiment file. */
export type ExperimentProblem = DocumentProblem;

/** What checking an experiment needs of the world. Paths are the file's own, relative to the workspace. */
export interface ExperimentHost {
  /** Null when there is no such file. */
  readText(path: string): string | null;
  exists(path: string): boolean;
  scenarios(): readonly string[];
  readonly edl: Pick<EdlServices, 'compile' | 'flatten'>;
  /** What a `learner` block starts from. */
  readonly learners: LearnerCatalogue;
  /** Findings in a prompt file; none when it is sound. */
  checkPrompt?(text: string): readonly string[];
  /** How arms inherit of the common coach; absent: as files of this version do. */
  readonly inheritance?: Inheritance;
  /** The study has begun: what a start refuses as without effect goes on as it began, since earlier versions did not refuse it. */
  readonly isUnderway?: boolean;
}
