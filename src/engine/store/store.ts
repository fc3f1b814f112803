import { type CheckpointsReader, type CheckpointsWriter, createCheckpoints } from './checkpoints.ts';
import type { Connection } from './connection.ts';
import { createDecisions, type DecisionsReader, type DecisionsWriter } from './decisions.ts';
import type { LeaseHolder } from './lease.ts';
import { createMemory, type MemoryReader, type MemoryWriter } from './memory.ts';
import { createModelCalls, type ModelCallsReader, type ModelCallsWriter } from './model-calls.ts';
import { createPolicies, type PoliciesReader, type PoliciesWriter } from './policies.ts';
import { createProposals, type ProposalsReader, type ProposalsWriter } from './proposals.ts';
import { type CutBack, createCutBack } from './resume.ts';
import { createRollbacks, type RollbacksReader, type RollbacksWriter } from './rollbacks.ts';
import { createRounds, type RoundsReader, type RoundsWriter } from './rounds.ts';
import { createRuns, type RunsReader, type RunsWriter } from './runs.ts';
import { createSeries, type SeriesReader, type SeriesWriter } from './series.ts';
import { createSnapshots, type SnapshotsReader, type SnapshotsWriter } from './snapshots.ts';
import { createStudies, type StudiesReader, type StudiesWriter } from './studies.ts';
import { createTexts, type TextsReader, type TextsWriter } from './texts.ts';
import { createTrials, type TrialsReader, type TrialsWriter } from './trials.ts';
import { createValidations, type ValidationsReader, type ValidationsWriter } from './validations.ts';

/** The read side: what a reading command, a view or a worker is given. */
export interface StoreReader {
  readonly texts: TextsReader;
  readonly studies: StudiesReader;
  readonly runs: RunsReader;
  readonly rounds: RoundsReader;
  readonly series: SeriesReader;
  readonly checkpoints: CheckpointsReader;
  readonly snapshots: SnapshotsReader;
  readonly proposals: ProposalsReader;
  readonly validations: ValidationsReader;
  readonly trials: TrialsReader;
  readonly decisions: DecisionsReader;
  readonly rollbacks: RollbacksReader;
  readonly modelCalls: ModelCallsReader;
  readonly memory: MemoryReader;
  readonly policies: PoliciesReader;
  /** The engine that writes to this workspace now, or null. */
  liveHolder(): LeaseHolder | null;
  close(): void;
}

/** The whole store, held by the one engine that has the lease. Every method is synchronous and durable against a kill. */
export interface Store extends StoreReader {
  readonly texts: TextsWriter;
  readonly studies: StudiesWriter;
  readonly runs: RunsWriter;
  readonly rounds: RoundsWriter;
  readonly series: SeriesWriter;
  readonly checkpoints: CheckpointsWriter;
  readonly snapshots: SnapshotsWriter;
  readonly proposals: ProposalsWriter;
  readonly validations: ValidationsWriter;
  readonly trials: TrialsWriter;
  readonly decisions: DecisionsWriter;
  readonly rollbacks: RollbacksWriter;
  readonly modelCalls: ModelCallsWriter;
  readonly memory: MemoryWriter;
  readonly policies: PoliciesWriter;
  /** Several writes as one: all or nothing. `work` is synchronous. */
  transaction<T>(work: () => T): T;
  readonly cutBack: CutBack;
  /** The lease's secret: who knows it can read the workspace, and may speak to its engine. */
  readonly token: string;
  /** Names the private socket where this engine answers, for others to find. */
  publishEndpoint(endpoint: string | null): void;
}

/** All aggregates over one connection. On a read-only connection only the reading methods work. */
export function createAggregates(
  db: Connection,
): Omit<Store, 'liveHolder' | 'close' | 'token' | 'publishEndpoint'> {
  const series = createSeries(db);
  const checkpoints = createCheckpoints(db);
  return {
    texts: createTexts(db),
    studies: createStudies(db),
    runs: createRuns(db),
    rounds: createRounds(db),
    series,
    checkpoints,
    snapshots: createSnapshots(db),
    proposals: createProposals(db),
    validations: createValidations(db),
    trials: createTrials(db),
    decisions: createDecisions(db),
    rollbacks: createRollbacks(db),
    modelCalls: createModelCalls(db),
    memory: createMemory(db),
    policies: createPolicies(db),
    cutBack: createCutBack(db, checkpoints, series),
    transaction: (work) => db.write(work),
  };
}
