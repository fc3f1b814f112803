import { describe, expect, test } from 'vitest';
import { type LoopState, readLoopState } from '../../../src/engine/runs/loop-state.ts';
import { requestProposal } from '../../../src/engine/runs/request-proposal.ts';
import type { RunRecord } from '../../../src/engine/store/index.ts';
import { thrownBy } from '../../support/error-code.ts';
import { openTestStore, runRecord, studyRecord } from '../../support/store-records.ts';

const coach = (provider: string, lag = 0) => ({ coach: { provider, lag } });

const plan = (question: LoopState['plans'][number]['question'] = null): LoopState['plans'][number] => ({
  textHash: 'h',
  identity: 'i',
  trialSteps: 0,
  incumbent: null,
  question,
  rolledBackRound: null,
  stage: null,
  move: null,
  shaping: null,
});

/** The memory of a run that is in a round, or at the boundary after it. */
const plansUntil = (round: number) => ({
  plans: Array.from({ length: round + 1 }, () => plan()),
  isRequested: false,
});

function storeWith(changes: Partial<RunRecord>) {
  const store = openTestStore();
  store.studies.insert(studyRecord(store));
  store.runs.insert(runRecord({ configuration: coach('rules'), numRounds: 4, ...changes }));
  const isRequested = () => readLoopState(store.runs.get('r1').loop).isRequested;
  return { store, isRequested, request: () => requestProposal(store, 'r1') };
}

function endRound(store: ReturnType<typeof openTestStore>, round: number): void {
  const environmentHash = store.texts.put('environment x extends y {}');
  store.rounds.begin({ runId: 'r1', round, environmentHash, environmentIdentity: 'i', startedAt: 1 });
  store.rounds.finish('r1', round, {
    ownSteps: 1,
    chargedSteps: 1,
    objective: 0,
    parameterHash: '',
    checkpointFile: '',
    recordFile: '',
    report: {},
    finishedAt: 2,
  });
}

describe('requestProposal', () => {
  const at = (round: number) => ({ round, loop: plansUntil(round) });

  test('is on record until a question is put', () => {
    const { request, isRequested } = storeWith(at(1));
    request();
    expect(isRequested()).toBe(true);
  });

  test('an arm without a coach is told so', () => {
    const { request, isRequested } = storeWith({ configuration: coach('none') });
    expect(thrownBy(request)).toMatchObject({ code: 'input.invalid', data: { reason: 'noCoach' } });
    expect(isRequested()).toBe(false);
  });

  test.each([
    ['the last round', { round: 3, loop: plansUntil(3) }],
    ['a finished run', { round: 3, state: 'finished', loop: plansUntil(3) }],
    [
      'a round whose answer would be due after the last boundary',
      { round: 2, loop: plansUntil(2), configuration: coach('llama', 1) },
    ],
    [
      'a question that is open until then',
      {
        round: 1,
        configuration: coach('llama', 2),
        loop: { plans: [plan(), plan({ askedRound: 0, isRequested: false })], isRequested: false },
      },
    ],
  ] as const)('is refused in %s', (_, changes) => {
    const { request, isRequested } = storeWith(changes as Partial<RunRecord>);
    expect(thrownBy(request)).toMatchObject({ code: 'input.invalid', data: { reason: 'tooLate' } });
    expect(isRequested()).toBe(false);
  });

  test('with an open question the next one is put when that is answered, if there is a boundary left', () => {
    const loop = { plans: [plan(), plan({ askedRound: 0, isRequested: false })], isRequested: false };
    const { request, isRequested } = storeWith({ round: 1, configuration: coach('llama', 1), loop });
    request();
    expect(isRequested()).toBe(true);
  });

  // A run's row names the round after the one that has ended, whatever it is doing.
  test('at the last boundary it is too late once the coach is at work, and not in a run at rest', () => {
    const atWork = storeWith({ round: 3, loop: plansUntil(2) });
    endRound(atWork.store, 2);
    expect(thrownBy(atWork.request)).toMatchObject({ data: { reason: 'tooLate' } });
    const held = storeWith({ round: 3, loop: plansUntil(2), state: 'paused' });
    endRound(held.store, 2);
    expect(thrownBy(held.request)).toMatchObject({ data: { reason: 'tooLate' } });
    const atRest = storeWith({ round: 3, loop: plansUntil(2), state: 'interrupted' });
    endRound(atRest.store, 2);
    atRest.request();
    expect(atRest.isRequested()).toBe(true);
  });

  test('at an earlier boundary that is crossed it is for the next one', () => {
    const { store, request, isRequested } = storeWith({ round: 2, loop: plansUntil(1) });
    endRound(store, 1);
    request();
    expect(isRequested()).toBe(true);
  });
});
