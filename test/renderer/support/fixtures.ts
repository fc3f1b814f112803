import type { ConcludedTrial, ProposalView } from '../../../src/shared/contract/coach.ts';
import type { MemoryEntry } from '../../../src/shared/contract/coach-memory.ts';
import type { Diagnostic } from '../../../src/shared/contract/edl.ts';
import type { PolicyPlayView } from '../../../src/shared/contract/policies.ts';
import type { RunView, StudyView } from '../../../src/shared/contract/runs.ts';
import { packFrames } from '../../../src/shared/rl/packed-frames.ts';
import { duelCast, frameWith, shape } from '../../support/frames.ts';

/** A run with everything ordinary; a test names only what matters to it. */
export function makeRun(change: Partial<RunView> = {}): RunView {
  return {
    runId: 'run-1',
    studyId: 'study-1',
    arm: 'coached',
    seed: 1,
    state: 'running',
    step: 100_000,
    ownSteps: 90_000,
    totalSteps: 400_000,
    round: 1,
    numRounds: 4,
    nextBoundary: 1,
    stage: null,
    traps: null,
    stepsPerSecond: 52_000,
    objective: -14.2,
    bestObjective: -13.8,
    parameterHash: null,
    error: null,
    ...change,
  };
}

export function makeStudy(change: Partial<StudyView> = {}): StudyView {
  return {
    studyId: 'study-1',
    name: 'quickstart',
    experimentPath: 'experiments/quickstart.yaml',
    state: 'running',
    createdAt: 1_760_000_000_000,
    finishedAt: null,
    objective: { metric: 'episode_return', group: 'agent', better: 'higher' },
    runs: [],
    arms: [],
    ...change,
  };
}

export function makeDiagnostic(change: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: 'EDL101',
    severity: 'error',
    message: 'unknown set "agnt": did you mean "agent"?',
    range: { start: { line: 4, character: 8 }, end: { line: 4, character: 12 } },
    suggestions: ['agent'],
    ...change,
  };
}

export const sampleBefore = `environment spread extends simple_spread {
  mission "Cover every landmark without colliding"
  set agent.count = 3

  // Meant to keep agents apart.
  reward crowding "Do not crowd a landmark" {
    for a in agent
    when distance(a, nearest(landmark)) < 0.3 m
    give -0.5 to a
  }

  issue uncovered "landmarks stay uncovered" { when coverage < 0.5 for 2 evaluations }
}
`;

export const sampleAfter = sampleBefore.replace(/\n {2}\/\/ Meant[\s\S]*?\n {2}}\n/, '');

/** What-if of three pairs that the candidate won. */
export const concludedTrial: ConcludedTrial = {
  state: 'concluded',
  candidate: 'proposal-1',
  pairs: [
    { seed: '11', candidate: -12.1, control: -15.3 },
    { seed: '12', candidate: -12.9, control: -14.8 },
    { seed: '13', candidate: -12.4, control: -16.1 },
  ],
  meanDifference: 2.93,
  low: 1.9,
  high: 3.7,
  numPairs: 3,
  wasDecided: true,
  probabilityOfImprovement: 1,
  chargedSteps: 60_000,
  verdict: 'better',
};

export function makeProposal(change: Partial<ProposalView> = {}): ProposalView {
  return {
    proposalId: 'proposal-1',
    studyId: 'study-1',
    runId: 'run-1',
    arm: 'coached',
    seed: 1,
    round: 0,
    provider: 'rules',
    model: null,
    isComposed: false,
    state: 'awaiting',
    body: {
      analysis:
        'Coverage stayed at 0.31 over two evaluations while the component "crowding" took 4.2 of return per episode. It punishes agents for standing where the objective wants them.',
      changes: [
        {
          op: 'remove',
          target: 'reward crowding',
          edl: '',
          description: 'Takes away the penalty for being close to a landmark.',
          implementation_hint: 'reward component of the environment',
          expected_impact: {
            metric: 'coverage',
            direction: 'up',
            size: 'large',
            why: 'nothing then pushes agents off landmarks',
          },
        },
      ],
      wishes: [],
    },
    before: sampleBefore,
    after: sampleAfter,
    validation: {
      isValid: true,
      reasons: [
        {
          code: 'fires',
          message: 'The removed reward fired on the recorded steps.',
          severity: 'warning',
          evidence: { steps: 2500, fired: 1312 },
          examples: [],
        },
      ],
    },
    trial: concludedTrial,
    decision: null,
    reason: 'issue: uncovered fires: coverage < 40%',
    failure: null,
    createdAt: 1_760_000_100_000,
    ...change,
  };
}

/** An episode of two steps in which two agents of two teams stand and are paid. */
export function makePlay(change: Partial<PolicyPlayView> = {}): PolicyPlayView {
  const frames = [0, 1, 2].map((step) =>
    frameWith([shape({ entity: 0, team: 0, x: step / 4 }), shape({ entity: 1, team: 1, x: -0.5 })], { step }),
  );
  const actions = ['left', 'right'];
  return {
    runId: 'run-1',
    round: 3,
    policies: [{ group: 'red', policyId: 'policy-1', sha256: 'a' }],
    environment: { kind: 'objective', round: null, identity: 'e' },
    seed: '7',
    episode: 0,
    cast: duelCast,
    agents: ['red_0', 'blue_0'],
    components: ['base', 'near'],
    frames: packFrames(frames),
    steps: [
      { actions, fired: {} },
      { actions, fired: { 'reward near': 1 } },
    ],
    paid: Float32Array.of(-1, 0, 0, 0, -1, 1, -1, 0),
    ending: 'truncated',
    groups: [
      {
        group: 'red',
        player: 'policy',
        episodeReturn: -2,
        metrics: [{ name: 'coverage', unit: 'share', value: 0.5 }],
      },
      { group: 'blue', player: 'closest', episodeReturn: -1, metrics: [] },
    ],
    ...change,
  };
}

/** A change that helped in another study. */
export function makeMemory(change: Partial<MemoryEntry> = {}): MemoryEntry {
  return {
    proposalId: 'earlier-p2-1',
    studyId: 'study-0',
    situation: { arm: 'coached', seed: 1, round: 1, issues: ['uncovered'] },
    scenario: { name: 'simple_spread', version: 1 },
    objective: { metric: 'episode_return', group: 'agent', better: 'higher' },
    provider: 'rules',
    model: null,
    changes: [{ op: 'remove', target: 'reward crowding', edl: '' }],
    label: 'accepted',
    author: 'automatic',
    isRolledBack: false,
    measured: { meanDifference: 3, low: 2, high: 4, numPairs: 2 },
    brokeDown: false,
    wasDecided: true,
    hasHelped: true,
    isForgotten: false,
    createdAt: 1_760_000_000_000,
    ...change,
  };
}
