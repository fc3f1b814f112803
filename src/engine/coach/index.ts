/**
 * The coach: triggers, snapshot, prompts, providers, validation, what-if trials, decisions, and the model host.
 * `createCoachPipeline` is what the round loop calls; everything it knows of a run is in the store.
 */
export { type CoachConfig, coachKinds, type GrantableKind, grantableKinds } from './config.ts';
export { type EvidenceSources, readEvidence } from './evidence/read-evidence.ts';
export { type Export, type ExportRequest, exportExamples } from './export/export-examples.ts';
export { bindToLearner, bindToRun, type RunSetting } from './in-force.ts';
export { learnRankerFile } from './learned/learn-ranker.ts';
export { listMemory } from './memory/list-memory.ts';
export { inspectHeader, inspectModel } from './model/inspect-model.ts';
export { ModelHost, type ModelHostOptions, type ModelHostStatus } from './model/model-host.ts';
export { testModel } from './model/test-model.ts';
export { createCoachPipeline } from './pipeline.ts';
export { readProbes } from './probe/probe-results.ts';
export { probeWorkspace } from './probe/probe-workspace.ts';
export { checkPromptText } from './prompts/check-prompt.ts';
export { openPrompts } from './prompts/prompt-files.ts';
export { parsePrompt } from './prompts/render-prompt.ts';
export { promptVariables } from './prompts/variables.ts';
export { proposeOnce } from './propose-once/propose-once.ts';
export { proseLengths, textLimits } from './providers/answer-limits.ts';
export { type Snapshot, snapshotJsonSchema, snapshotSchema } from './snapshot/snapshot-schema.ts';
export { decideByPerson, type PersonalDecision } from './stages/decide-by-person.ts';
export { translateWith } from './translate/translate-with.ts';
export type * from './types.ts';
export { measuredNames } from './validate/check-changes.ts';
export { proposalJsonSchema } from './validate/parse-proposal.ts';
export type { RunExperience } from './validate/validate-edited.ts';
