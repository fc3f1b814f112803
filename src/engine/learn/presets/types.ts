import type { LearnerAlgorithm, LearnerConfig } from '../../../shared/rl/learner-config.ts';

/** Hyperparameters under a name, whole. */
export interface LearnerPreset {
  /** Where they come from, and in what they differ from there. */
  readonly source: string;
  readonly config: LearnerConfig;
}

/** What an experiment's `learner` block starts from. */
export interface LearnerCatalogue {
  readonly defaults: Readonly<Record<LearnerAlgorithm, LearnerConfig>>;
  readonly presets: Readonly<Record<string, LearnerPreset>>;
}
