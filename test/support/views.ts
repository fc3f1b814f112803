import type { ProposalView } from '../../src/shared/contract/coach.ts';
import type { RunView, StudyView } from '../../src/shared/contract/runs.ts';

/** Contract views with defaults; a test names what it is about. */
export function makeRun(overrides: Partial<RunView> = {}): RunView {
  return {
    runId: 'run-1',
    studyId: 'study-1',
    arm: 'fixed',
    seed: 1,
    state: 'running',
    step: 0,
    ownSteps: 0,
    totalSteps: 1000,
    round: 0,
    numRounds: 3,
    nextBoundary: 0,
    stage: null,
    traps: null,
    stepsPerSecond: null,
    objective: null,
    bestObjective: null,
    parameterHash: null,
    error: null,
    ...overrides,
  };
}

export function makeStudy(overrides: Partial<StudyView> = {}): StudyView {
  return {
    studyId: 'study-1',
    name: 'sample',
    experimentPath: 'experiments/sample.yaml',
    state: 'running',
    createdAt: 1000,
    finishedAt: null,
    objective: { metric: 'episode_return', group: 'agent', better: 'higher' },
    runs: [makeRun()],
    arms: [],
    ...overrides,
  };
}

export function makeProposal(overrides: Partial<ProposalView> = {}): ProposalView {
  return {
    proposalId: 'proposal-1',
    studyId: 'study-1',
    runId: 'run-1',
    arm: 'coached',
    seed: 1,
    round: 0,
    provider: 'rules',
    model: null,
    isComposed: true,
    state: 'asked',
    body: null,
    before: '',
    after: null,
    validation: null,
    trial: null,
    decision: null,
    reason: '',
    failure: null,
    createdAt: 1000,
    ...overrides,
  };
}
