import { z } from 'zod';
import type { ProposalRecord, RunRecord, StoreReader } from '../../store/index.ts';
import { wasRolledBack } from '../export/rolled-back.ts';
import { isAsProposed, measuredBy } from '../measured.ts';
import { oneLine } from '../one-line.ts';
import { type Snapshot, snapshotSchema } from '../snapshot/snapshot-schema.ts';
import { isOfCandidate } from '../whatif/trial-failure.ts';
import type { ExperienceEntry } from './experience.ts';
import { measuredIn } from './measured-in.ts';
import { type Situation, situationOf } from './situation.ts';

type RunStore = Pick<
  StoreReader,
  'texts' | 'rounds' | 'snapshots' | 'proposals' | 'trials' | 'decisions' | 'rollbacks'
>;

/** The part of the store that remembering reads. */
export type ExperienceStore = RunStore & Pick<StoreReader, 'studies' | 'runs'>;

/** What of the workspace is asked for. */
export interface Wanted {
  /** Scenario -> version: only what was measured there; null: all. */
  readonly scenarios: ReadonlyMap<string, number> | null;
  /** Proposals that a person told to forget. */
  readonly forgotten: ReadonlySet<string>;
  /** Entries per scenario at most, the newest; null: all. */
  readonly limit: number | null;
}

const configurationOnRecord = z.looseObject({ scenarios: z.record(z.string(), z.int()).default({}) });

/**
 * What the workspace's studies teach: every proposal whose trial was concluded, whichever way, or in which training broke down, and
 * every one that a person decided on. Newest first, ties by id.
 *
 * Cost: three look-ups for every proposal of studies of the scenarios; snapshots, at about half a millisecond each, are read once,
 * and no more of them than it takes for the limit.
 */
export function collectExperience(store: ExperienceStore, wanted: Wanted): ExperienceEntry[] {
  const records = { store, read: createSnapshotReader(store) };
  const isWanted = ([name, version]: Scenario): boolean =>
    wanted.scenarios === null || wanted.scenarios.get(name) === version;
  const counts = new Map<string, number>();
  const countOf = (scenario: Scenario): number => counts.get(scenario.join(' ')) ?? 0;
  const isFull = (scenario: Scenario): boolean => wanted.limit !== null && countOf(scenario) >= wanted.limit;
  const entries: ExperienceEntry[] = [];
  for (const proposed of listProposals(store, wanted.forgotten, isWanted)) {
    // A study is of one scenario but for those of before that was asked for.
    if (Object.entries(proposed.study.versions).filter(isWanted).every(isFull)) continue;
    const entry = describeProposal(records, proposed);
    if (entry === null) continue;
    const scenario: Scenario = [entry.scenario.name, entry.scenario.version];
    if (!isWanted(scenario) || isFull(scenario)) continue;
    counts.set(scenario.join(' '), countOf(scenario) + 1);
    entries.push(entry);
  }
  return entries;
}

/** Name and version. */
type Scenario = readonly [string, number];

interface Proposed {
  readonly study: StudyOf;
  readonly proposal: ProposalRecord;
}

/** Proposals of studies of which a scenario is wanted, newest first. */
function listProposals(
  store: ExperienceStore,
  forgotten: Wanted['forgotten'],
  isWanted: (scenario: Scenario) => boolean,
): Proposed[] {
  const proposed = store.studies.list().flatMap(({ studyId, objective, configuration }) => {
    const versions = configurationOnRecord.safeParse(configuration).data?.scenarios ?? {};
    if (!Object.entries(versions).some(isWanted)) return [];
    const { metric, group, better } = objective;
    return store.runs.listByStudy(studyId).flatMap((run) => {
      const told = { metric, group, better, measuredIn: measuredIn(run.configuration) };
      const study: StudyOf = { run, versions, objective: told };
      return store.proposals.list({ runId: run.runId }).map((proposal) => ({ study, proposal }));
    });
  });
  return proposed
    .filter(({ proposal }) => !forgotten.has(proposal.proposalId))
    .toSorted((a, b) => newestFirst(a.proposal, b.proposal));
}

/** What a run itself went through until a boundary: proposals whose trials are over by then. */
export function collectOwnPast(
  store: RunStore,
  run: Omit<StudyOf, 'versions'> & {
    readonly scenario: ExperienceEntry['scenario'];
    readonly round: number;
    readonly lag: number;
  },
): ExperienceEntry[] {
  const { round, lag, scenario } = run;
  const study = { ...run, versions: { [scenario.name]: scenario.version } };
  const records = { store, read: createSnapshotReader(store) };
  return (
    store.proposals
      .list({ runId: run.run.runId })
      .filter((proposal) => proposal.round + lag < round)
      .toSorted(newestFirst)
      // A question that is put again after an interruption knows of no rollback that came after it.
      .map((proposal) => describeProposal(records, { study, proposal }, round))
      .filter((entry) => entry !== null)
  );
}

/** Where a proposal was made. */
interface StudyOf {
  readonly run: Pick<RunRecord, 'runId' | 'studyId' | 'arm' | 'seed'>;
  readonly versions: Readonly<Record<string, number>>;
  readonly objective: ExperienceEntry['objective'];
}

interface Told {
  readonly snapshot: Snapshot;
  readonly situation: Situation;
}

type SnapshotText = (textHash: string) => Told | null;

/** Null for a snapshot that this version cannot read. */
function createSnapshotReader({ texts }: Pick<RunStore, 'texts'>): SnapshotText {
  const known = new Map<string, Told | null>();
  return (textHash) => {
    const found = known.get(textHash);
    if (found !== undefined) return found;
    const { success, data } = snapshotSchema.safeParse(JSON.parse(texts.get(textHash)));
    const told = success ? { snapshot: data, situation: situationOf(data) } : null;
    known.set(textHash, told);
    return told;
  };
}

/**
 * Null where nothing is to be learned: it was neither tried nor decided on by a person. `until`: the last round that is known of;
 * default: all there are.
 */
function describeProposal(
  { store, read }: { readonly store: RunStore; readonly read: SnapshotText },
  { study, proposal }: Proposed,
  until?: number,
): ExperienceEntry | null {
  const { proposalId, body } = proposal;
  if (body === null) return null;
  const decision = store.decisions.find(proposalId);
  const trial = store.trials.find(proposalId);
  const summary = trial?.summary ?? null;
  const measured = measuredBy(trial);
  const failure = trial?.failure ?? null;
  const brokeDown = failure !== null && isOfCandidate(failure);
  if (summary === null && !brokeDown && decision?.author !== 'person') return null;
  const textHash = store.snapshots.get(proposal.snapshotId).textHash;
  const told = read(textHash);
  if (told === null) return null;
  const { name } = told.snapshot.scenario;
  const version = study.versions[name];
  if (version === undefined) return null;
  const { run } = study;
  return {
    source: {
      study: run.studyId,
      run: run.runId,
      arm: run.arm,
      seed: run.seed,
      round: proposal.round,
      proposal: proposalId,
      provider: proposal.provider,
      model: proposal.model,
    },
    scenario: { name, version },
    objective: study.objective,
    snapshotHash: textHash,
    beforeHash: proposal.beforeHash,
    situation: told.situation,
    changes: body.changes,
    replaced: body.changes.map(({ op, target }) => (op === 'add' ? null : declared(told.snapshot, target))),
    isComposed: proposal.isComposed,
    // A text that a person left as it was is the one that was proposed.
    label:
      decision !== null && decision.verdict === 'edited' && isAsProposed(proposal, decision)
        ? 'accepted'
        : (decision?.verdict ?? 'undecided'),
    author: decision?.author ?? null,
    isRolledBack: wasRolledBack(store, run.runId, decision, until),
    measured: measured === null || summary === null ? null : { ...measured, verdict: summary.verdict },
    brokeDown,
    chargedSteps: [...(trial?.pairs ?? []), ...(failure === null ? [] : [failure])].reduce(
      (sum, { chargedSteps }) => sum + chargedSteps,
      0,
    ),
    createdAt: proposal.createdAt,
  };
}

/** A declaration as the snapshot shows it, as one line; null where it does not. */
export function declared({ declarations }: Pick<Snapshot, 'declarations'>, target: string): string | null {
  const found = declarations.find(({ kind, name }) => `${kind} ${name}` === target);
  return found === undefined ? null : oneLine(found.text);
}

function newestFirst(
  a: Pick<ProposalRecord, 'proposalId' | 'createdAt'>,
  b: Pick<ProposalRecord, 'proposalId' | 'createdAt'>,
): number {
  return b.createdAt - a.createdAt || (a.proposalId < b.proposalId ? 1 : -1);
}
