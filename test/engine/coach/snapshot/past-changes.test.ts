import { describe, expect, test } from 'vitest';
import { listPastChanges } from '../../../../src/engine/coach/snapshot/past-changes.ts';
import type { DecisionRecord, Store } from '../../../../src/engine/store/index.ts';
import { insertProposal, proposalBody, storeWithRun } from '../../../support/store-records.ts';

type Op = 'add' | 'modify' | 'remove';

const whole = (...declarations: readonly string[]): string =>
  `environment a extends simple_spread {\n  ${declarations.join('\n  ')}\n}`;

const textOf = (target: string): string => `${target} { give 1 to a }`;

interface Taken {
  readonly op: Op;
  readonly target: string;
  readonly round: number;
  readonly verdict?: DecisionRecord['verdict'];
  /** What was proposed, and what was decided. */
  readonly proposed?: string;
  readonly decided?: string;
  readonly appliedRound?: number | null;
}

/** Puts a proposal p<round> and its decision on record, applied at its own boundary unless said otherwise. */
function take(store: Store, taken: Taken): void {
  const { op, target, round, verdict = 'accepted', appliedRound = round } = taken;
  const { proposed = whole(textOf(target)), decided = proposed } = taken;
  const proposalId = `p${round}`;
  insertProposal(store, { proposalId, round });
  const body = { ...proposalBody, changes: proposalBody.changes.map((each) => ({ ...each, op, target })) };
  const answer = { answerHash: null, isComposed: true, afterHash: store.texts.put(proposed), details: {} };
  store.proposals.answer(proposalId, { ...answer, body, state: verdict });
  const textHash = store.texts.put(decided);
  const author = verdict === 'edited' ? ('person' as const) : ('automatic' as const);
  store.decisions.record({ proposalId, verdict, author, note: '', textHash, decidedAt: round });
  if (appliedRound !== null) store.decisions.markApplied(proposalId, appliedRound);
}

function conclude(store: Store, proposalId: string): void {
  const figures = { meanDifference: 3, low: 2, high: 4, numPairs: 3, probabilityOfImprovement: 0.99 };
  store.trials.addPair(proposalId, {
    ...{ seed: '1', candidate: 3, control: 0, chargedSteps: 1, evaluationSteps: 1 },
  });
  store.trials.conclude(proposalId, { ...figures, verdict: 'better' });
}

const past = (store: Store, inForce: Readonly<Record<string, string>>) =>
  listPastChanges(store, 'r1', 9, new Map(Object.entries(inForce)));

/** Accepted changes of one target each, in turn, and whether each is said to be in force. */
function inForce(
  changes: readonly (readonly [Op, string])[],
  declared: readonly string[],
  rolledBack: readonly string[] = [],
): boolean[] {
  const store = storeWithRun();
  for (const [round, [op, target]] of changes.entries()) take(store, { op, target, round });
  const text = store.texts.put('environment a extends simple_spread {}');
  if (rolledBack.length > 0) {
    const figures = { measured: 1, incumbent: 2, margin: 0.5, note: 'it fell', decidedAt: 1 };
    const where = { runId: 'r1', round: 3, fromHash: text, toHash: text };
    store.rollbacks.record({ ...where, ...figures, proposalIds: rolledBack });
  }
  const texts = Object.fromEntries(declared.map((target) => [target, textOf(target)]));
  return past(store, texts).map(({ isInForce }) => isInForce);
}

describe('listPastChanges', () => {
  test('an addition is in force while it is declared, a removal while it is not', () => {
    const changes = [['add', 'reward near'] as const, ['remove', 'reward crowding'] as const];
    expect(inForce(changes, ['reward near'])).toEqual([true, true]);
    expect(inForce(changes, ['reward crowding'])).toEqual([false, false]);
  });

  test('a later change to the same declaration overtakes an earlier one', () => {
    const changes = [['add', 'reward near'] as const, ['modify', 'reward near'] as const];
    expect(inForce(changes, ['reward near'])).toEqual([false, true]);
  });

  test('what was rolled back is not in force, though its declaration is there', () => {
    expect(inForce([['modify', 'reward near']], ['reward near'], ['p0'])).toEqual([false]);
  });

  test('what a rollback brought back is in force', () => {
    const changes = [['modify', 'reward near'] as const, ['modify', 'reward near'] as const];
    expect(inForce(changes, ['reward near'], ['p1'])).toEqual([true, false]);
  });

  test('what was decided and not applied yet is not in force', () => {
    const store = storeWithRun();
    take(store, { op: 'modify', target: 'reward near', round: 0, appliedRound: null });
    expect(past(store, { 'reward near': textOf('reward near') })[0]?.isInForce).toBe(false);
  });

  test('a declaration that stands otherwise than it was decided is not in force', () => {
    const store = storeWithRun();
    take(store, { op: 'add', target: 'set x', round: 0, proposed: whole('set x = 40') });
    expect(past(store, { 'set x': 'set x = 4' })[0]?.isInForce).toBe(false);
    expect(past(store, { 'set x': 'set  x = 40' })[0]?.isInForce).toBe(true);
  });

  test('of a text that a person edited nothing was measured by the trial of what was proposed', () => {
    const store = storeWithRun();
    const decided = whole('reward near { give 0.5 to a }');
    take(store, { op: 'add', target: 'reward near', round: 0, verdict: 'edited', decided });
    conclude(store, 'p0');
    expect(past(store, { 'reward near': 'reward near { give 0.5 to a }' })[0]).toMatchObject({
      ...{ outcome: 'edited', measured: null, isInForce: true, reasons: ['a person changed it'] },
    });
  });

  test('an edited text that was tried as another proposal was measured by its trial', () => {
    const store = storeWithRun();
    const decided = whole('reward near { give 0.5 to a }');
    take(store, { op: 'add', target: 'reward near', round: 0, verdict: 'edited', decided });
    insertProposal(store, { proposalId: 'twin', round: 0, candidate: 1 });
    const answer = { answerHash: null, isComposed: true, body: proposalBody, details: {} };
    store.proposals.answer('twin', { ...answer, afterHash: store.texts.put(decided), state: 'rejected' });
    conclude(store, 'twin');
    expect(past(store, {})[0]?.measured).toEqual({ meanDifference: 3, low: 2, high: 4, verdict: 'better' });
  });

  test('an edit that left the text as it was proposed was measured with it', () => {
    const store = storeWithRun();
    take(store, { op: 'add', target: 'reward near', round: 0, verdict: 'edited' });
    conclude(store, 'p0');
    expect(past(store, {})[0]).toMatchObject({ measured: { meanDifference: 3 }, reasons: [] });
  });
});
