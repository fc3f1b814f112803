import { describe, expect, test } from 'vitest';
import type { EdlChange } from '../../../../src/engine/edl/types.ts';
import {
  applyInOrder,
  hasChanged,
  readEvolution,
} from '../../../../src/engine/runs/ablation/applied-changes.ts';
import type { Store } from '../../../../src/engine/store/index.ts';
import { coachEdl, compiled, spreadText } from '../../../support/coach-world.ts';
import { proposalBody, storeWithRun } from '../../../support/store-records.ts';

const faster: EdlChange = { op: 'modify', target: 'set agent.accel', edl: 'set agent.accel = 6 m/s^2' };
const kinder: EdlChange = { op: 'remove', target: 'reward crowding', edl: '' };
const closer: EdlChange = {
  op: 'add',
  target: 'reward closer',
  edl: 'reward closer { for a in agent give 1 - distance(a, nearest(landmark)) / 1 m to a }',
};

function after(...changes: readonly EdlChange[]): string {
  const result = coachEdl.applyChanges(spreadText, changes);
  if ('refused' in result) throw new Error(result.refused.message);
  return result.text;
}

function beginRounds(store: Store, texts: readonly string[]): void {
  for (const [round, text] of texts.entries())
    store.rounds.begin({
      runId: 'r1',
      round,
      environmentHash: store.texts.put(text),
      environmentIdentity: compiled(text).identity,
      startedAt: 1,
    });
}

/** A decision on a change that was asked for after `round` and applied there. */
function decide(
  store: Store,
  round: number,
  change: EdlChange,
  edited?: { before: string; text: string },
): void {
  const proposalId = `p${round}`;
  const textHash = store.texts.put('{}');
  store.snapshots.insert({ snapshotId: `n${round}`, runId: 'r1', round, textHash, createdAt: 1 });
  store.proposals.insert({
    proposalId,
    runId: 'r1',
    round,
    candidate: 0,
    snapshotId: `n${round}`,
    provider: 'rules',
    model: null,
    promptHash: null,
    beforeHash: store.texts.put(edited?.before ?? spreadText),
    details: {},
    createdAt: 2,
  });
  const changes = proposalBody.changes.map((given) => ({ ...given, ...change }));
  const body = { ...proposalBody, changes };
  const answer = { answerHash: null, isComposed: true, body, afterHash: null, details: {} };
  store.proposals.answer(proposalId, { ...answer, state: 'accepted' });
  store.decisions.record({
    proposalId,
    verdict: edited === undefined ? 'accepted' : 'edited',
    author: 'automatic',
    note: '',
    textHash: edited === undefined ? null : store.texts.put(edited.text),
    decidedAt: 3,
  });
  store.decisions.markApplied(proposalId, round);
}

const read = (store: Store) => readEvolution(store, coachEdl, store.runs.get('r1'));

describe('readEvolution', () => {
  test('tells the decisions that took effect, in their order', () => {
    const store = storeWithRun();
    beginRounds(store, [spreadText, after(faster), after(faster, kinder)]);
    decide(store, 0, faster);
    decide(store, 1, kinder);
    const { first, last, changes } = read(store);
    expect(first).toBe(spreadText);
    expect(last).toBe(after(faster, kinder));
    expect(changes).toEqual([
      { index: 1, label: 'modify set agent.accel', proposalId: 'p0', round: 0, changes: [faster] },
      { index: 2, label: 'remove reward crowding', proposalId: 'p1', round: 1, changes: [kinder] },
    ]);
  });

  test('leaves out what was rolled back', () => {
    const store = storeWithRun();
    beginRounds(store, [spreadText, after(closer), spreadText, after(kinder)]);
    decide(store, 0, closer);
    decide(store, 2, kinder);
    expect(read(store).changes.map(({ label }) => label)).toEqual(['remove reward crowding']);
  });

  test('takes what a person made of a proposal', () => {
    const store = storeWithRun();
    beginRounds(store, [spreadText, after(faster, closer)]);
    decide(store, 0, kinder, { before: spreadText, text: after(faster, closer) });
    expect(read(store).changes).toMatchObject([
      { index: 1, label: 'modify set agent.accel and add reward closer', proposalId: 'p0' },
    ]);
  });

  test('tells declarations one by one where decisions do not account for what there is', () => {
    const store = storeWithRun();
    beginRounds(store, [spreadText, after(faster, closer)]);
    decide(store, 0, faster);
    expect(read(store).changes.map(({ index, label, proposalId }) => [index, label, proposalId])).toEqual([
      [1, 'modify set agent.accel', null],
      [2, 'add reward closer', null],
    ]);
  });

  test('refuses a run whose environment is what it was, and one that has not begun', () => {
    const store = storeWithRun();
    expect(() => read(store)).toThrow(/has not begun/);
    beginRounds(store, [spreadText, `// a comment\n${spreadText}`]);
    expect(() => read(store)).toThrow(/ended in the environment it began with/);
  });
});

describe('hasChanged', () => {
  const told = (store: Store) => hasChanged(store, coachEdl, store.runs.get('r1'));

  test('goes by what the text leads to, whatever stage of it was in force', () => {
    const store = storeWithRun();
    expect(told(store)).toBe(false);
    beginRounds(store, [spreadText]);
    const round = { runId: 'r1', environmentHash: store.texts.put(spreadText), startedAt: 1 };
    store.rounds.begin({ ...round, round: 1, environmentIdentity: 'of another stage' });
    expect(told(store)).toBe(false);
    beginRounds(store, [spreadText, spreadText, after(kinder)]);
    expect(told(store)).toBe(true);
  });
});

describe('applyInOrder', () => {
  test('names the first change that does not apply', () => {
    const change = (index: number, each: EdlChange) => ({
      index,
      label: each.target,
      proposalId: null,
      round: null,
      changes: [each],
    });
    const weaker: EdlChange = { ...closer, op: 'modify' };
    const refused = applyInOrder(coachEdl, spreadText, [change(1, faster), change(3, weaker)]);
    expect(refused).toMatchObject({ refused: { index: 3 } });
    const applied = applyInOrder(coachEdl, spreadText, [
      change(1, faster),
      change(2, closer),
      change(3, weaker),
    ]);
    expect(applied).toMatchObject({ identity: compiled(after(faster, closer)).identity });
  });
});
