import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { AppError } from '../../shared/std/app-error.ts';
import {
  bindToLearner,
  bindToRun,
  type CompileOptions,
  checkPromptText,
  createCoachPipeline,
  decideByPerson,
  type EvidenceSources,
  exportExamples,
  learnRankerFile,
  listMemory,
  ModelHost,
  openPrompts,
  probeWorkspace,
  proposeOnce,
  readEvidence,
  translateWith,
} from '../coach/index.ts';
import { openTemplates } from '../describe/index.ts';
import { applyChanges, compile, type EdlHost, flatten } from '../edl/index.ts';
import {
  compileSpecWith,
  hostWith,
  LanguageThread,
  scenarioHost,
  workspaceBaseFiles,
} from '../language/index.ts';
import { learnerCatalogue } from '../learn/index.ts';
import {
  buildReports,
  compareRuns,
  createSupervisor,
  type EdlServices,
  findAskedCoach,
  listStudyViews,
  nextBoundary,
  planFile,
  readAblation,
  readDiscounting,
  readRunExperience,
  readRunSetting,
  readStudyView,
  runDirectory,
} from '../runs/index.ts';
import { createVecEnv, scenarioNames } from '../sim/index.ts';
import { readProposalView, type StoreReader } from '../store/index.ts';
import { isWithin, type WorkspaceFiles } from '../workspace/index.ts';
import { composeModels } from './compose-models.ts';
import { describerHost } from './describer-host.ts';
import type { StudyViews } from './handlers/context.ts';
import { createEdlHandlers } from './handlers/edl.ts';
import { createPoliciesHandlers } from './handlers/policies.ts';
import { createSimulatorHandlers } from './handlers/simulator.ts';
import { keepJournal } from './journal.ts';
import type { ComposeReading, ComposeWriting, Services } from './services.ts';
import type { Voice } from './voice.ts';

const views: StudyViews = {
  list: listStudyViews,
  get: readStudyView,
  compare: compareRuns,
};

const withCapacities = ({ capacities }: CompileOptions = {}): EdlHost =>
  capacities === undefined ? scenarioHost : { ...scenarioHost, capacities };

/** The language bound to this build's scenarios, with a coach's rights. */
const language: EdlServices & Pick<EdlHost, 'manifest'> = {
  compile: (text, options) => compile(text, withCapacities(options)),
  applyChanges: (text, changes, options) =>
    applyChanges(text, changes, withCapacities(options), { author: 'coach' }),
  flatten: (text, path, readText) => flatten(text, { ...scenarioHost, text: readText }, path),
  manifest: scenarioHost.manifest,
  scenarios: scenarioNames,
};

interface Common {
  readonly services: Omit<Services, 'close' | 'studies' | 'decide' | 'forget'>;
  /** Ends the model host, the language thread, and what coaches are asked outside studies. */
  close(): Promise<void>;
  readonly modelHost: ModelHost;
  /** The language of a run, and environments as its learner values them. */
  readonly edlOf: EvidenceSources['edlOf'];
  readonly envsOf: EvidenceSources['envsOf'];
}

function composeCommon(files: WorkspaceFiles, store: StoreReader, voice: Voice): Common {
  const { root } = files;
  const modelHost = new ModelHost({ onStatus: (status) => voice.emit('model.changed', status) });
  const languageThread = new LanguageThread({ root });
  const closing = new AbortController();
  const inWorkspace = hostWith(workspaceBaseFiles(root));
  // Whoever may name a file outside the workspace may have it extend others there.
  const hostOf = (path?: string): EdlHost =>
    path === undefined || isWithin(root, path) ? inWorkspace : scenarioHost;
  const compileSpec = (text: string, path?: string) => compileSpecWith(hostOf(path), text, path);
  const asking = {
    edl: language,
    createVecEnv,
    prompts: openPrompts(root),
    models: modelHost,
    now: Date.now,
  };
  const proposing = {
    ...asking,
    flatten: (text: string, path: string) => flatten(text, hostOf(path), path),
  };
  const edlOf = (runId: string) => bindToRun(language, readRunSetting(store, runId));
  const envsOf = (runId: string) => bindToLearner(createVecEnv, readDiscounting(store.runs.get(runId)));
  const directoryOf = (runId: string): string => resolve(root, runDirectory(runId));
  const planning = {
    root,
    store,
    edl: language,
    learners: learnerCatalogue,
    checkPrompt: checkPromptText,
    trainers: availableParallelism(),
  };
  const services = {
    views,
    language: createEdlHandlers(languageThread),
    simulator: createSimulatorHandlers({ compileSpec, describerHost, templates: openTemplates(root) }),
    policies: createPoliciesHandlers({ root, store, compileSpec, edl: language }),
    models: composeModels(root, modelHost),
    propose: async ({ environment, count, seed, ...asked }) => {
      const coach = findAskedCoach(planning, asked);
      const request = { environment: resolve(root, environment), coach, count, seed };
      const times = count === 1 ? 'once' : `${count} times`;
      const onPlay = (): void =>
        voice.write('info', `plays the environment for what a coach is told of it, then asks ${times} …`);
      return proposeOnce({ ...proposing, onPlay }, request, closing.signal);
    },
    evidence: (args) => readEvidence({ store, edlOf, envsOf, directoryOf }, args),
    report: ({ studyIds, threshold = null }) =>
      buildReports({ root, store, edl: language, createVecEnv }, { studyIds, threshold }),
    plan: ({ arm = null, seed = null, ...args }) => planFile(planning, { ...args, arm, seed }),
    ablation: ({ runId = null, seeds = null, ...args }) => readAblation(planning, { ...args, runId, seeds }),
    exportExamples: (args) => exportExamples({ store, edl: language }, args),
    memory: ({ frozen = null }) => listMemory(store, frozen),
    probe: async ({ shuffled, ...asked }) => {
      const request = { coach: findAskedCoach(planning, asked), isShuffled: shuffled };
      return probeWorkspace(asking, root, request, closing.signal);
    },
    learn: ({ studyIds }) => learnRankerFile(store, studyIds),
    translate: ({ text, table = null }) => translateWith(root, table, text),
  } satisfies Common['services'];
  const close = async (): Promise<void> => {
    closing.abort(new AppError('model.cancelled', 'the engine was closed'));
    await modelHost.close();
    await languageThread.close();
  };
  return { services, edlOf, envsOf, modelHost, close };
}

/** Composes what only reads: no supervisor, no decisions; a model host starts when a model is asked for. */
export const composeReading: ComposeReading = (files, store, voice) => {
  const { services, close } = composeCommon(files, store, voice);
  return { ...services, studies: null, decide: null, forget: null, close };
};

/** Composes the engine that holds the workspace out of the real modules. */
export const composeWriting: ComposeWriting = (files, store, voice) => {
  const { root } = files;
  const { services, edlOf, envsOf, modelHost, close } = composeCommon(files, store, voice);
  const emit = keepJournal(voice.emit, Date.now);
  const onChange = (proposalId: string): void =>
    emit('proposal.changed', readProposalView(store, proposalId));
  const coaching = {
    store,
    edl: language,
    createVecEnv,
    models: modelHost,
    now: Date.now,
    onChange,
  };
  const coach = createCoachPipeline(coaching);
  const studies = createSupervisor({
    root,
    store,
    emit,
    edl: language,
    coach,
    learners: learnerCatalogue,
    checkPrompt: checkPromptText,
  });
  return {
    ...services,
    // The supervisor also knows of ends that a full disk kept off the record.
    views: { ...views, list: () => studies.list(), get: (_, studyId) => studies.get(studyId) },
    studies,
    forget({ proposalId, isForgotten }) {
      store.proposals.get(proposalId);
      if (isForgotten) store.memory.forget(proposalId, Date.now());
      else store.memory.unforget(proposalId);
      return {};
    },
    decide(args) {
      const { runId } = store.proposals.get(args.proposalId);
      const experience = () => readRunExperience(store, root, runId);
      const hasBoundary = () => nextBoundary(store.runs.get(runId)) !== null;
      const run = { edl: edlOf(runId), createVecEnv: envsOf(runId), experience, hasBoundary };
      decideByPerson({ ...coaching, ...run }, args);
      return readProposalView(store, args.proposalId);
    },
    async close() {
      await studies.close();
      await close();
    },
  };
};
