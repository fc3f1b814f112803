import { onTestFinished } from 'vitest';
import {
  openStore,
  type ProposalRecord,
  type RunRecord,
  type Store,
  type StudyRecord,
  unbegun,
} from '../../src/engine/store/index.ts';
import type { ProposalBody } from '../../src/shared/contract/coach.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A store on a folder of its own (or the given one), closed when the test is finished. */
export function openTestStore(root: string = temporaryFolder()): Store {
  const store = openStore(root);
  onTestFinished(() => store.close());
  return store;
}

export function studyRecord(store: Store, changes: Partial<StudyRecord> = {}): StudyRecord {
  return {
    studyId: 's1',
    name: 'spread',
    experimentPath: 'experiments/spread.yaml',
    experimentHash: store.texts.put('name: spread\n'),
    configuration: { seeds: [1] },
    objective: { metric: 'episode_return', group: 'agent', better: 'higher' },
    state: 'running',
    createdAt: 1000,
    finishedAt: null,
    ...changes,
  };
}

/** Where the objective of such a run is measured, as its configuration tells it. */
export const objectiveOnRecord = { identity: 'where-it-is-measured', opponents: {} };

export function runRecord(changes: Partial<RunRecord> = {}): RunRecord {
  return {
    runId: 'r1',
    studyId: 's1',
    parentRunId: null,
    arm: 'coached',
    seed: 1,
    totalSteps: 100_000,
    numRounds: 3,
    configuration: { learner: { hidden: 64 }, objective: objectiveOnRecord },
    createdAt: 1000,
    ...unbegun,
    state: 'running',
    ...changes,
  };
}

/** A store that holds study s1 with run r1. */
export function storeWithRun(root?: string): Store {
  const store = openTestStore(root);
  store.studies.insert(studyRecord(store));
  store.runs.insert(runRecord());
  return store;
}

export const proposalBody: ProposalBody = {
  analysis: 'The crowding penalty keeps agents away from landmarks.',
  changes: [
    {
      op: 'remove',
      target: 'reward crowding',
      edl: '',
      description: 'Drop the penalty.',
      implementation_hint: 'reward',
      expected_impact: {
        metric: 'episode_return',
        direction: 'up',
        size: 'medium',
        why: 'it opposes the goal',
      },
    },
  ],
  wishes: ['a longer horizon'],
};

/** Adds snapshot n1 and proposal p1 (state asked) to run r1. */
export function insertProposal(store: Store, changes: Partial<ProposalRecord> = {}): void {
  if (store.snapshots.findByRound('r1', 0) === null) {
    const textHash = store.texts.put('{"mission":"spread out"}');
    store.snapshots.insert({ snapshotId: 'n1', runId: 'r1', round: 0, textHash, createdAt: 1500 });
  }
  store.proposals.insert({
    proposalId: 'p1',
    runId: 'r1',
    round: 0,
    candidate: 0,
    snapshotId: 'n1',
    provider: 'rules',
    model: null,
    promptHash: null,
    beforeHash: store.texts.put('environment spread extends simple_spread {}\n'),
    details: { trigger: 'interval' },
    createdAt: 2000,
    ...changes,
  });
}

/** Run r1's proposal p1, asked after a round with a snapshot of the given text: it helped in two pairs of two. */
export function insertHelpfulProposal(store: Store, round: number, snapshotText: string): void {
  const textHash = store.texts.put(snapshotText);
  store.snapshots.insert({ snapshotId: 'n1', runId: 'r1', round, textHash, createdAt: 1 });
  store.proposals.insert({
    ...{ proposalId: 'p1', runId: 'r1', round, candidate: 0, snapshotId: 'n1', provider: 'rules' },
    ...{ model: null, promptHash: null, details: {}, createdAt: 2 },
    beforeHash: store.texts.put('environment spread extends simple_spread {}'),
  });
  store.proposals.answer('p1', {
    ...{ answerHash: null, isComposed: true, body: proposalBody, afterHash: null, details: {} },
    state: 'validated',
  });
  for (const seed of ['1', '2'])
    store.trials.addPair('p1', { seed, candidate: 3, control: 0, chargedSteps: 5, evaluationSteps: 5 });
  store.trials.conclude('p1', {
    ...{ meanDifference: 3, low: 2, high: 4, numPairs: 2, probabilityOfImprovement: 1, verdict: 'better' },
  });
}
