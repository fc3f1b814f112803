import { languageHere } from '../../src/engine/language/index.ts';
import type { Services } from '../../src/engine/rpc/services.ts';
import { readProposalView, type Store } from '../../src/engine/store/index.ts';
import type { ProbeView } from '../../src/shared/contract/coach-probe.ts';
import type { RunView, StudyView } from '../../src/shared/contract/runs.ts';
import { packFrames } from '../../src/shared/rl/packed-frames.ts';
import { AppError } from '../../src/shared/std/app-error.ts';
import { duelCast, frameWith, shape } from './frames.ts';

export const runView: RunView = {
  runId: 'r1',
  studyId: 's1',
  arm: 'coached',
  seed: 1,
  state: 'running',
  step: 10,
  ownSteps: 8,
  totalSteps: 100,
  round: 0,
  numRounds: 2,
  nextBoundary: 0,
  stage: null,
  traps: null,
  stepsPerSecond: null,
  objective: null,
  bestObjective: null,
  parameterHash: null,
  error: null,
};

export const studyView: StudyView = {
  studyId: 's1',
  name: 'spread',
  experimentPath: 'experiments/spread.yaml',
  state: 'running',
  createdAt: 1000,
  finishedAt: null,
  objective: { metric: 'episode_return', group: 'agent', better: 'higher' },
  runs: [runView],
  arms: [],
};

const modelInfo = {
  path: '/models/tiny.gguf',
  name: 'tiny',
  architecture: 'llama',
  parameters: 1000,
  sizeBytes: 2000,
  contextLength: 128,
  quantization: null,
  sha256: null,
  memoryEstimateBytes: null,
  mode: 'rank' as const,
};

/** Documents over the scenarios of tests; version 1 of a.edl is open in session w1. */
function fakeDocuments() {
  const { documents } = languageHere();
  void documents.open({
    session: 'w1',
    path: 'a.edl',
    version: 1,
    text: 'environment a extends simple_spread {}',
  });
  return documents;
}

function requireId(actual: string, kind: string, wanted: string): void {
  if (actual !== wanted)
    throw new AppError('store.notFound', `there is no ${kind} "${actual}"`, { data: { id: actual } });
}

const certain = { value: 1, low: 1, high: 1 };
const always = { top1: certain, top3: certain, reciprocalRank: certain };
const probeResult: ProbeView = {
  ...{ version: 2, provider: 'rules', model: null, modelHash: null, promptHash: null, isShuffled: false },
  ...{
    defects: '0',
    numDefects: 1,
    figures: always,
    overRandom: always,
    scenarios: [],
    answers: [],
    overShuffled: null,
  },
};

/** Services with canned answers in place of learner, language, simulator and coach; "s1", "r1" and "p1" exist. */
export function fakeServices(store: Store, overrides: Partial<Services> = {}): Services {
  const study = async (studyId: string): Promise<StudyView> => {
    requireId(studyId, 'study', 's1');
    return studyView;
  };
  const policy = {
    policyId: 'x1',
    runId: 'r1',
    arm: 'coached',
    seed: 1,
    round: 0,
    group: 'agent',
    file: 'p.onnx',
    sha256: 'a',
    parameterHash: 'h',
    createdAt: 1,
  };
  return {
    views: {
      list: () => [studyView],
      get: (_store, studyId) => {
        requireId(studyId, 'study', 's1');
        return studyView;
      },
      compare: (_store, [runId = '']) => {
        requireId(runId, 'run', 'r1');
        return {
          runs: [runView],
          configuration: [{ key: 'learner.hidden', values: ['64', null], differs: true }],
          environments: [],
          summaries: [],
        };
      },
    },
    report: ({ studyIds }) => {
      for (const studyId of studyIds) requireId(studyId, 'study', 's1');
      return { reports: [], across: null };
    },
    plan: ({ experimentPath }) => {
      if (experimentPath === 'broken.yaml')
        throw new AppError('experiment.invalid', 'broken.yaml line 3: unknown key "bugdet"');
      const none = { trainers: 1, hours: null, bytes: null };
      return { name: 'e', experimentPath, budget: { steps: 1, rounds: 1 }, seeds: [1], arms: [], ...none };
    },
    ablation: ({ studyId }) => {
      requireId(studyId, 'study', 's1');
      const missing = { unfinished: null, missingSeeds: [], experimentPath: null, files: [], plan: null };
      const { objective } = studyView;
      const run = { studyId, runId: 'r1', arm: 'coached', seed: 1, objective, folder: 'ablations/r1' };
      return { ...run, changes: [], together: null, numArms: 2, finishedSeeds: [], ...missing };
    },
    language: {
      check: ({ text }) => ({
        diagnostics: [],
        environment: { name: text, scenario: 'simple_spread', identity: 'i', costPerStep: 3 },
      }),
      format: ({ text }) => {
        if (text === 'bad')
          throw new AppError('edl.invalid', 'the EDL text has errors', { data: { diagnostics: [] } });
        return { text };
      },
      explain: ({ text }) => ({ text }),
      flatten: ({ text }) => {
        if (text === 'bad')
          throw new AppError('edl.invalid', 'the EDL text has errors', { data: { diagnostics: [] } });
        return { text };
      },
      schema: ({ of }) => ({ schema: { title: of } }),
      grammar: ({ scenario }) => {
        if (scenario !== 'gather')
          throw new AppError('scenario.unknown', `there is no scenario "${scenario}"`);
        return { grammar: 'root ::= "x"\n', rules: 1, maxLength: 1, examples: [] };
      },
      scenarios: () => [],
      ...fakeDocuments(),
    },
    simulator: {
      speed: ({ numEnvs }) => ({
        stepsPerSecond: 1e6,
        copies: numEnvs,
        agents: 3,
        threads: 1,
        program: null,
      }),
      libraries: () => ({ libraries: [{ path: '/own.so', scenarios: ['gather'] }] }),
      check: ({ scenario }) => {
        if (scenario !== 'gather')
          throw new AppError('scenario.unknown', `there is no scenario "${scenario}"`);
        return { name: scenario, version: 1, numAgents: 3, steps: 9, episodes: 1, problems: [] };
      },
      frames: ({ scenario }) => {
        if (scenario !== 'simple_spread')
          throw new AppError('scenario.unknown', `there is no scenario "${scenario}"`);
        return { cast: duelCast, frames: packFrames([frameWith([shape({ text: 'x' })])]) };
      },
      trace: ({ scenario }) => {
        if (scenario !== 'simple_spread')
          throw new AppError('scenario.unknown', `there is no scenario "${scenario}"`);
        return {
          steps: [{ pos: [[0, 1]], vel: [[0, 0]], reward: [-1], obs: { agent_0: [1] } }],
        };
      },
      describe: ({ scenario }) => {
        if (scenario !== 'simple_spread')
          throw new AppError('input.notFound', `there is no describer for "${scenario}"`);
        const descriptions = [{ episode: 0, step: 0, text: 'nothing is covered', isNew: true }];
        return { template: 'describers/simple_spread.yaml', descriptions };
      },
    },
    policies: {
      list: () => [policy],
      export: ({ policyId }) => {
        requireId(policyId, 'policy', 'x1');
        return { policy, onnx: new Uint8Array([8, 0, 255]) };
      },
      import: ({ group = 'agent', extras }) => ({
        policy: { scenario: 'simple_spread', group, obsDim: 18, numActions: 5, extras, hiddenDim: 0 },
        onnx: new Uint8Array([8, 0, 254]),
      }),
      evaluate: ({ episodes }) => ({ environment: 'e', scenario: 'simple_spread', episodes, groups: [] }),
      playable: ({ runId }) => {
        requireId(runId, 'run', 'r1');
        const exported = { round: 0, groups: ['agent'], chargedSteps: 10, objective: -3 };
        return { runId, policies: [exported], training: [{ from: 0, to: 1 }], objective: 'simple_spread' };
      },
      play: ({ runId, episode, environment }) => {
        requireId(runId, 'run', 'r1');
        const frames = [0, 1].map((step) => frameWith([shape({ entity: 0 })], { step }));
        return {
          ...{ runId, round: 0, policies: [{ group: 'red', policyId: 'x1', sha256: 'a' }] },
          environment: { kind: environment, round: environment === 'training' ? 1 : null, identity: 'e' },
          ...{ seed: '7', episode, cast: duelCast, agents: ['red_0', 'blue_0'], components: ['base'] },
          frames: packFrames(frames),
          steps: [{ actions: ['left', 'right'], fired: { 'reward near': 2 } }],
          ...{ paid: Float32Array.of(1, -1), ending: 'terminated' },
          groups: [{ group: 'red', player: 'policy', episodeReturn: 1, metrics: [] }],
        };
      },
      cancelPlay: () => ({}),
    },
    models: {
      inspect: ({ path }) => {
        if (path === 'missing.gguf')
          throw new AppError('model.notFound', 'there is no model file missing.gguf');
        return modelInfo;
      },
      test: () => ({
        model: modelInfo,
        output: 'x',
        promptTokens: 3,
        outputTokens: 1,
        loadMs: 1,
        generateMs: 1,
      }),
      status: () => ({ state: 'absent', path: null, message: 'no model is loaded' }),
    },
    propose: ({ provider = 'rules' }) => ({
      provider,
      proposals: [],
      funnel: { asked: 1, parsed: 1, valid: 0, repaired: 0, snapshots: 1, distinct: 0 },
    }),
    evidence: ({ proposalId, round, copy }) => {
      requireId(proposalId, 'proposal', 'p1');
      return {
        scenario: 'gather',
        cast: { scenario: 'gather', numAgents: 1, teams: ['agent'], entities: ['agent_0'] },
        round,
        copy,
        numCopies: 1,
        numTimes: 1,
        agents: ['agent_0'],
        components: ['payoff'],
        declarations: [],
        steps: [],
      };
    },
    translate: ({ text }) => {
      if (text === 'unreadable') throw new AppError('input.invalid', 'terms.yaml is no table of terms');
      return { value: null, terms: [], unknown: [text], table: 'terms.yaml' };
    },
    exportExamples: ({ studyIds, trainShare, kin }) => {
      for (const studyId of studyIds) requireId(studyId, 'study', 's1');
      const leftOut = { undecided: 0, noAnswer: 0, notChanges: 0, otherVersion: 0 };
      return { train: [], test: [], summary: { trainShare, kin, studies: [], leftOut } };
    },
    studies: {
      start: async ({ experimentPath }) => {
        if (experimentPath === 'broken.yaml')
          throw new AppError('experiment.invalid', 'broken.yaml line 3: unknown key "bugdet"', {
            data: { line: 3 },
          });
        return studyView;
      },
      pause: study,
      unpause: study,
      stop: study,
      requestProposal: (runId) => requireId(runId, 'run', 'r1'),
      runningRuns: 1,
      close: async () => undefined,
    },
    memory: ({ frozen = 'f1' }) => {
      requireId(frozen, 'text', 'f1');
      return [];
    },
    probe: async ({ provider = 'rules', model }) => {
      if (model === 'gone.gguf') throw new AppError('model.notFound', 'there is no model gone.gguf');
      return { ...probeResult, provider };
    },
    learn: ({ studyIds }) => {
      for (const studyId of studyIds) requireId(studyId, 'study', 's1');
      return {
        name: 'ranker-0.json',
        text: '{}',
        figures: { trials: 0, studies: [], pairs: 0, right: 0, withoutScorer: 0 },
      };
    },
    forget: ({ proposalId }) => {
      store.memory.forget(store.proposals.get(proposalId).proposalId, 1);
      return {};
    },
    decide: ({ proposalId, verdict, note }) => {
      store.decisions.record({ proposalId, verdict, author: 'person', note, decidedAt: 1, textHash: null });
      return readProposalView(store, proposalId);
    },
    close: async () => undefined,
    ...overrides,
  };
}
