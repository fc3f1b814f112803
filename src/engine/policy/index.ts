/** Policies as files: what they say of themselves, acting with them, and evaluating them on fixed episodes. */
export { EpisodeTable } from './episode-table.ts';
export { assignPolicies, evaluatePolicies } from './evaluate.ts';
export { type ImportOptions, importPolicy } from './import-policy.ts';
export { openPolicy } from './open-policy.ts';
export { PolicyPlayer } from './policy-player.ts';
export { type PolicyProblem, readPolicyMetadata } from './read-metadata.ts';
export type {
  AgentEvaluation,
  EpisodeSeries,
  Evaluation,
  EvaluationOptions,
  GroupEvaluation,
  Policy,
  PolicyBatch,
} from './types.ts';
