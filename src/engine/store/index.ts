/**
 * The store: one SQLite file per workspace, one aggregate per file, read and write sides apart.
 * Everything is synchronous; what a method wrote survives a kill of the process once it returned.
 */
export type { CheckpointRecord, CheckpointsReader, CheckpointsWriter } from './checkpoints.ts';
export type { DecisionRecord, DecisionsReader, DecisionsWriter } from './decisions.ts';
export type { LeaseHolder } from './lease.ts';
export type { MemoryReader, MemoryWriter } from './memory.ts';
export type { ModelCallRecord, ModelCallsReader, ModelCallsWriter } from './model-calls.ts';
export { databasePath, dataFolder, openStore } from './open.ts';
export type { PoliciesReader, PoliciesWriter, PolicyRecord } from './policies.ts';
export { readFailure } from './proposal-failure.ts';
export { readModelCallViews, readProposalView } from './proposal-view.ts';
export type {
  ProposalAnswer,
  ProposalFilter,
  ProposalRecord,
  ProposalsReader,
  ProposalsWriter,
} from './proposals.ts';
export type { CutBack } from './resume.ts';
export type { RoundOutcome, RoundRecord, RoundsReader, RoundsWriter } from './rounds.ts';
export { type RunProgress, type RunRecord, type RunsReader, type RunsWriter, unbegun } from './runs.ts';
export type { SeriesQuery, SeriesReader, SeriesSummary, SeriesWriter } from './series.ts';
export type { SnapshotRecord, SnapshotsReader, SnapshotsWriter } from './snapshots.ts';
export type { Store, StoreReader } from './store.ts';
export type { StudiesReader, StudiesWriter, StudyRecord } from './studies.ts';
export type { TextsReader, TextsWriter } from './texts.ts';
export type { TrialPair, TrialRecord, TrialSummary, TrialsReader, TrialsWriter } from './trials.ts';
export { readUnaltered } from './unaltered-text.ts';
export type { ValidationsReader, ValidationsWriter } from './validations.ts';
