import type { ExportExample, ExportKinship, ExportSummary } from '../../../shared/contract/coach-export.ts';
import { sha256 } from '../../files/index.ts';
import type { StoreReader, StudyRecord } from '../../store/index.ts';
import { collectExample, type Example, type ExportTools, type LeftOut } from './collect-examples.ts';
import { splitStudies } from './split-studies.ts';

export interface ExportRequest {
  /** Empty: all of the workspace. */
  readonly studyIds: readonly string[];
  readonly trainShare: number;
  readonly kin: ExportKinship;
}

export interface Export {
  readonly train: ExportExample[];
  readonly test: ExportExample[];
  readonly summary: ExportSummary;
}

/**
 * What coaches answered as fine-tuning data, divided by families of studies (see `splitStudies`). From the record alone,
 * in its order: the same record, the same export.
 *
 * Throws: store.notFound for an unknown study.
 */
export function exportExamples(tools: ExportTools, { studyIds, trainShare, kin }: ExportRequest): Export {
  const { store } = tools;
  const leftOut: Record<LeftOut, number> = {
    undecided: 0,
    noAnswer: 0,
    notChanges: 0,
    otherVersion: 0,
  };
  const studies = chooseStudies(store, studyIds).map((study) => {
    const examples = examplesOf(tools, study, leftOut);
    const { studyId, experimentHash } = study;
    const environments = environmentsOf(store, studyId);
    return { examples, studyId, experiment: experimentHash, environments };
  });
  const taught = studies.filter(({ examples }) => examples.length > 0);
  const placed = splitStudies(
    taught.map((study) => ({
      studyId: study.studyId,
      keys: keysOf(study, kin),
      examples: study.examples.length,
    })),
    trainShare,
  );
  const parts: Record<'train' | 'test', ExportExample[]> = { train: [], test: [] };
  const told: ExportSummary['studies'] = [];
  for (const { studyId, experiment, environments, examples } of taught) {
    const { family, part } = placed.get(studyId) ?? { family: studyId, part: 'train' as const };
    parts[part].push(...examples.map((example) => ({ ...example, source: { ...example.source, family } })));
    told.push({ study: studyId, family, part, experiment, environments, examples: examples.length });
  }
  return { ...parts, summary: { trainShare, kin, studies: told, leftOut } };
}

interface Taught {
  readonly experiment: string;
  readonly environments: readonly string[];
  readonly examples: readonly Example[];
}

/** Studies that were asked the very same are kin in any case, whatever their files are called. */
function keysOf({ experiment, environments, examples }: Taught, kin: ExportKinship): string[] {
  const questions = examples.map(({ messages }) =>
    sha256(JSON.stringify(messages.filter(({ role }) => role !== 'assistant'))),
  );
  return [
    `experiment ${experiment}`,
    ...new Set(questions.map((hash) => `question ${hash}`)),
    ...(kin === 'environment' ? environments.map((id) => `environment ${id}`) : []),
  ];
}

/** Oldest first. */
function chooseStudies(store: StoreReader, studyIds: readonly string[]): StudyRecord[] {
  const chosen = studyIds.length === 0 ? store.studies.list() : studyIds.map((id) => store.studies.get(id));
  const unique = new Map(chosen.map((study) => [study.studyId, study]));
  return [...unique.values()].sort((a, b) => a.createdAt - b.createdAt || (a.studyId < b.studyId ? -1 : 1));
}

function environmentsOf(store: StoreReader, studyId: string): string[] {
  const identities = store.runs
    .listByStudy(studyId)
    .flatMap(({ runId }) => store.rounds.listByRun(runId).map((round) => round.environmentIdentity));
  return [...new Set(identities)].sort();
}

function examplesOf(
  tools: ExportTools,
  { studyId, experimentHash }: StudyRecord,
  leftOut: Record<LeftOut, number>,
): Example[] {
  const { store } = tools;
  return store.runs.listByStudy(studyId).flatMap((run) =>
    store.proposals
      .list({ runId: run.runId })
      .sort((a, b) => a.round - b.round || a.candidate - b.candidate)
      .flatMap((proposal) => {
        const example = collectExample(tools, { run, experiment: experimentHash }, proposal);
        if (typeof example !== 'string') return [example];
        leftOut[example] += 1;
        return [];
      }),
  );
}
