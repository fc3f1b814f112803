import type { coach } from '../../../shared/contract/coach.ts';
import type { DomainHandlers } from '../../../shared/contract/define.ts';
import type { edl } from '../../../shared/contract/edl.ts';
import type { models } from '../../../shared/contract/models.ts';
import type { policies } from '../../../shared/contract/policies.ts';
import type { runs, StudyView } from '../../../shared/contract/runs.ts';
import type { simulator } from '../../../shared/contract/simulator.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import type { StoreReader } from '../../store/index.ts';
import type { WorkspaceFiles } from '../../workspace/index.ts';
import type { LogRing } from '../log-ring.ts';

type RunsHandlers = DomainHandlers<typeof runs>;
type CoachHandlers = DomainHandlers<typeof coach>;

/** Views of studies and runs, from what is on record alone: they serve reading commands too. */
export interface StudyViews {
  list(store: StoreReader): StudyView[];
  /** Throws store.notFound. */
  get(store: StoreReader, studyId: string): StudyView;
  compare: (store: StoreReader, runIds: readonly string[]) => ReturnType<RunsHandlers['compare']>;
}

/** Evolution reports, from what is on record alone. */
export type ReportStudies = RunsHandlers['report'];

/** What a study will take, before it starts. */
export type PlanStudy = RunsHandlers['plan'];

/** What each change of a run did, and what is missing to say so. */
export type ReadAblation = RunsHandlers['ablation'];

/** Runs studies; only the engine that holds the workspace has one. */
export interface StudyService extends Pick<RunsHandlers, 'start'> {
  pause(studyId: string): Promise<StudyView>;
  unpause(studyId: string): Promise<StudyView>;
  stop(studyId: string): Promise<StudyView>;
  requestProposal(runId: string): void;
  readonly runningRuns: number;
  close(): Promise<void>;
}

/** Asks a coach outside the round loop; changes nothing, so a reading engine has it too. */
export type ProposeOnce = CoachHandlers['propose'];

/** Coaches' answers as fine-tuning data, from the record. */
export type ExportExamples = CoachHandlers['export'];

/** Judgements in words as numbers. */
export type Translate = CoachHandlers['translate'];

/** Recorded steps that a validator's reason names. */
export type ReadEvidence = CoachHandlers['evidence'];

/** What coaches remember of the workspace's studies. */
export type ReadMemory = CoachHandlers['memory'];

/** What the trials of the workspace teach. */
export type Learn = CoachHandlers['learn'];

/** Lets a coach choose among edits whose effect is known. */
export type Probe = CoachHandlers['probe'];

/** Keeps studies to come from learning of a proposal. */
export type Forget = CoachHandlers['forget'];

/** Takes a person's decision on record. */
export type DecideByPerson = CoachHandlers['decide'];

/** Language services bound to the scenarios of this build. */
export type LanguageService = DomainHandlers<typeof edl>;

/** Model files and the model host. */
export type ModelService = Omit<DomainHandlers<typeof models>, 'list'>;

export type SimulatorService = DomainHandlers<typeof simulator>;
export type PolicyService = DomainHandlers<typeof policies>;

/** What handlers work with. Null: not there when the workspace is only read, or there is none. */
export interface HandlerContext {
  readonly files: WorkspaceFiles;
  readonly store: StoreReader;
  readonly views: StudyViews;
  readonly report: ReportStudies;
  readonly plan: PlanStudy;
  readonly ablation: ReadAblation;
  readonly language: LanguageService;
  readonly simulator: SimulatorService;
  readonly policies: PolicyService;
  readonly models: ModelService;
  readonly propose: ProposeOnce;
  readonly exportExamples: ExportExamples;
  readonly translate: Translate;
  readonly evidence: ReadEvidence;
  readonly memory: ReadMemory;
  readonly learn: Learn;
  readonly probe: Probe;
  readonly studies: StudyService | null;
  readonly decide: DecideByPerson | null;
  readonly forget: Forget | null;
  readonly log: LogRing;
  readonly version: string;
  readonly startedAt: number;
}

/** Throws engine.unavailable where the service is missing. */
export function requireService<T>(service: T | null, what: string): T {
  if (service !== null) return service;
  throw new AppError(
    'engine.unavailable',
    `${what} needs the engine that holds the workspace; here the workspace is only read`,
  );
}
