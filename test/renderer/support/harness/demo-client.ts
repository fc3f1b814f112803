import type { Client } from '../../../../src/shared/contract/index.ts';
import type { RunView, SeriesView } from '../../../../src/shared/contract/runs.ts';
import { createFakeClient } from '../fake-client.ts';
import {
  makeDiagnostic,
  makeMemory,
  makePlay,
  makeProposal,
  makeRun,
  makeStudy,
  sampleAfter,
  sampleBefore,
} from '../fixtures.ts';
import { demoReport } from './demo-report.ts';

const arms = ['fixed', 'random', 'coached'];
const keys = [
  'eval/objective',
  'charts/episodic_return',
  'charts/component/crowding',
  'losses/policy_loss',
  'losses/approx_kl',
  'losses/explained_variance',
];
const experiment = `name: quickstart
environment: environments/spread.edl
learner: {algorithm: ippo, hidden: 64}
budget: {steps: 400_000, rounds: 4}
seeds: [1, 2]
objective: {metric: episode_return, group: agent, environment: environments/spread-eval.edl}
coach: {provider: rules, trigger: {interval: 1}, mode: manual}
arms: [{name: fixed, coach: none}, {name: random, coach: {provider: random}}, {name: coached}]
`;
const files = new Map([
  ['environments/spread.edl', sampleBefore],
  ['environments/spread-eval.edl', sampleAfter],
  ['experiments/quickstart.yaml', experiment],
  ['prompts/coach.md', '# Role\n\nYou design training environments.\n\n{{snapshot}}\n'],
]);

/** A client with invented figures, to look at the workbench without an engine. Never part of the product. */
export function createDemoClient(): Client {
  const runs = arms.flatMap((arm, index) =>
    [1, 2].map((seed) => makeRun({ runId: `${arm}-${seed}`, arm, seed, objective: -18 + index * 2.4 })),
  );
  const study = makeStudy({ runs });
  const older = makeStudy({
    studyId: 'study-0',
    name: 'baseline',
    state: 'finished',
    runs: [
      makeRun({ runId: 'old-1', studyId: 'study-0', arm: 'fixed', state: 'finished', step: 400_000 }),
      makeRun({
        runId: 'old-2',
        studyId: 'study-0',
        arm: 'fixed',
        seed: 2,
        state: 'failed',
        error: { code: 'trainer.died', message: 'the trainer ended (signal SIGKILL)' },
      }),
    ],
  });
  const proposals = [
    makeProposal(),
    makeProposal({
      proposalId: 'proposal-2',
      arm: 'random',
      provider: 'random',
      state: 'rejected',
      trial: {
        state: 'brokeDown',
        candidate: 'proposal-2',
        pairs: [{ seed: '7', candidate: -19.2, control: -18.9 }],
        chargedSteps: 5300,
        failure: 'in the changed environment: policy_loss became NaN',
      },
      decision: {
        verdict: 'rejected',
        author: 'automatic',
        note: 'training broke down in it',
        decidedAt: 1_760_000_200_000,
      },
    }),
    makeProposal({
      proposalId: 'proposal-3',
      provider: 'llama',
      model: 'SmolLM2-135M',
      isComposed: true,
      state: 'invalid',
      validation: {
        isValid: false,
        reasons: [
          {
            code: 'neverFires',
            message: 'The rule never fired on 2,500 recorded steps.',
            severity: 'error',
            evidence: { steps: 2500, fired: 0 },
            examples: [],
          },
        ],
      },
      trial: null,
    }),
  ];
  const { client, emit } = createFakeClient({
    workspace: {
      get: async () => ({ root: '/home/ada/spread', name: 'spread', isReadOnly: false }),
      list: async () => [
        ...['environments', 'experiments', 'prompts'].map((path) => ({
          path,
          kind: 'folder' as const,
          size: 0,
          modifiedAt: 0,
        })),
        ...[...files].map(([path, text]) => ({
          path,
          kind: path.startsWith('env')
            ? ('environment' as const)
            : path.startsWith('exp')
              ? ('experiment' as const)
              : ('prompt' as const),
          size: text.length,
          modifiedAt: 0,
        })),
        { path: 'SmolLM2-135M.gguf', kind: 'model' as const, size: 98_000_000, modifiedAt: 0 },
      ],
      read: async ({ path }) => ({ text: files.get(path) ?? '', hash: path }),
      write: async ({ text }) => ({ hash: String(text.length) }),
    },
    edl: {
      check: async ({ text }) => ({
        diagnostics: text.includes('agnt') ? [makeDiagnostic()] : [],
        environment: null,
      }),
    },
    runs: {
      list: async () => [study, older],
      keys: async () => keys,
      series: async ({ runId, key }) => series(runId, key),
      report: async ({ studyIds: [studyId = ''] }) => ({
        reports: [{ ...demoReport, studyId }],
        across: null,
      }),
      compare: async ({ runIds }) => ({
        runs: runs.filter((run) => runIds.includes(run.runId)),
        configuration: [
          {
            key: 'coach.provider',
            values: runIds.map((id) =>
              id.startsWith('coached') ? 'rules' : id.startsWith('random') ? 'random' : null,
            ),
            differs: true,
          },
          { key: 'seed', values: runIds.map((id) => id.slice(-1)), differs: true },
          { key: 'learner.hidden', values: runIds.map(() => '64'), differs: false },
        ],
        environments: runIds.map((runId, round) => ({
          runId,
          round,
          text: round % 2 ? sampleAfter : sampleBefore,
          identity: String(round % 2),
        })),
        summaries: runIds.flatMap((runId) =>
          keys.slice(0, 3).map((key) => ({ runId, key, last: -14.2, min: -26.1, max: -12.8 })),
        ),
      }),
    },
    coach: {
      list: async () => proposals,
      get: async ({ proposalId }) => ({
        proposal: proposals.find((proposal) => proposal.proposalId === proposalId) ?? makeProposal(),
        snapshot: '{"mission": "Cover every landmark"}',
        modelCalls: [],
      }),
      decide: async ({ proposalId, verdict, note = '' }) =>
        makeProposal({
          proposalId,
          state: verdict,
          decision: { verdict, author: 'person', note, decidedAt: 1_760_000_300_000 },
        }),
      memory: async () => [makeMemory(), makeMemory({ proposalId: 'earlier-p3-1', hasHelped: false })],
      forget: async () => ({}),
    },
    policies: {
      playable: async ({ runId }) => ({
        runId,
        policies: [{ round: 1, groups: ['red'], chargedSteps: 200_000, objective: -14.2 }],
        training: [{ from: 0, to: 1 }],
        objective: 'environments/spread-eval.edl',
      }),
      play: async ({ runId, episode = 0 }) => makePlay({ runId, round: 1, episode }),
      cancelPlay: async () => ({}),
    },
    models: { status: async () => ({ state: 'ready', path: 'SmolLM2-135M.gguf', message: '' }) },
    engine: {
      status: async () => ({
        version: '0.1.0',
        pid: 4242,
        node: '24.21.0',
        startedAt: 0,
        runningRuns: 6,
        numCores: 8,
      }),
      log: async () => [
        {
          at: 1_760_000_000_000,
          level: 'info',
          source: 'engine',
          runId: null,
          message: 'workspace /home/ada/spread is open',
        },
      ],
    },
    desktop: { info: async () => ({ shell: 'browser', platform: 'linux', version: '0.1.0' }) },
  });
  let step = 100_000;
  setInterval(() => {
    step += 1000;
    for (const run of runs)
      emit('metrics.appended', {
        runId: run.runId,
        points: keys.map((key) => ({ key, step, value: valueAt(run, key, step) })),
      });
  }, 500);
  return client;

  function series(runId: string, key: string): SeriesView {
    const run = runs.find((other) => other.runId === runId) ?? makeRun();
    const steps = Float64Array.from({ length: 100 }, (_, index) => (index + 1) * 1000);
    const values = steps.map((at) => valueAt(run, key, at));
    return {
      runId,
      key,
      numPoints: 100,
      steps,
      values,
      low: values.map((value) => value - 0.8),
      high: values.map((value) => value + 0.8),
    };
  }
}

function valueAt(run: RunView, key: string, step: number): number {
  const arm = arms.indexOf(run.arm) + 1;
  const wobble = Math.sin(step / 3000 + run.seed * 2 + key.length) * 0.7;
  if (key.startsWith('losses')) return 0.4 * Math.exp(-step / 40_000) + wobble * 0.02;
  return -26 + (8 + arm * 1.5) * (1 - Math.exp(-step / (50_000 - arm * 9000))) + wobble;
}
