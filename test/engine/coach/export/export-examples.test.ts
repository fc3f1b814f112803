import { describe, expect, test } from 'vitest';
import { exportExamples } from '../../../../src/engine/coach/export/export-examples.ts';
import { buildSnapshot } from '../../../../src/engine/coach/snapshot/build-snapshot.ts';
import type { ProposalRecord, Store } from '../../../../src/engine/store/index.ts';
import { type ExportKinship, exportExample } from '../../../../src/shared/contract/coach-export.ts';
import { coachEdl, roundContext, spreadText } from '../../../support/coach-world.ts';
import { openTestStore, proposalBody, runRecord, studyRecord } from '../../../support/store-records.ts';

const reason = { trigger: 'interval', detail: '' } as const;
const changedText = spreadText.replace('accel = 4', 'accel = 6');

function addStudy(store: Store, studyId: string, text = spreadText): string {
  const runId = `${studyId}.coached.1`;
  const createdAt = 1000 + store.studies.list().length;
  const experimentHash = store.texts.put(`name: ${studyId}\n`);
  store.studies.insert(studyRecord(store, { studyId, experimentHash, createdAt }));
  store.runs.insert(runRecord({ runId, studyId }));
  const environmentHash = store.texts.put(text);
  store.rounds.begin({ runId, round: 0, environmentHash, environmentIdentity: `id ${text}`, startedAt: 1 });
  const snapshot = buildSnapshot(roundContext({ studyId, runId }), reason, store);
  const textHash = store.texts.put(JSON.stringify(snapshot));
  store.snapshots.insert({ snapshotId: `${runId}-s1`, runId, round: 0, textHash, createdAt: 1 });
  return runId;
}

interface Given extends Partial<ProposalRecord> {
  readonly answer?: string;
}

function addProposal(store: Store, runId: string, candidate: number, given: Given): string {
  const proposalId = `${runId}-p1-${candidate + 1}`;
  const details = { promptFile: null, reason, enumerated: null, identity: null, failure: null };
  store.proposals.insert({
    proposalId,
    runId,
    round: 0,
    candidate,
    snapshotId: `${runId}-s1`,
    provider: 'rules',
    model: null,
    promptHash: null,
    beforeHash: store.texts.put(spreadText),
    details,
    createdAt: 2000 + candidate,
    ...given,
  });
  store.proposals.answer(proposalId, {
    answerHash: given.answer === undefined ? null : store.texts.put(given.answer),
    isComposed: given.isComposed ?? false,
    body: given.body ?? null,
    afterHash: null,
    details: given.details ?? details,
    state: given.state ?? 'validated',
  });
  return proposalId;
}

function decide(
  store: Store,
  proposalId: string,
  verdict: 'accepted' | 'edited' | 'rejected',
  text?: string,
) {
  store.decisions.record({
    proposalId,
    verdict,
    author: text === undefined ? 'automatic' : 'person',
    note: verdict === 'rejected' ? 'its trial did not beat the unchanged environment' : '',
    textHash: text === undefined ? null : store.texts.put(text),
    decidedAt: 3000,
  });
}

const answer = JSON.stringify(proposalBody);

function exported(
  store: Store,
  studyIds: readonly string[] = [],
  trainShare = 1,
  kin: ExportKinship = 'environment',
) {
  const result = exportExamples({ store, edl: coachEdl }, { studyIds, trainShare, kin });
  for (const example of [...result.train, ...result.test]) exportExample.parse(example);
  return result;
}

describe('exportExamples', () => {
  test('what a model wrote is told whole, to the prompt as it was put', () => {
    const store = openTestStore();
    const runId = addStudy(store, 's1');
    const promptHash = store.texts.put('the rendered prompt');
    const id = addProposal(store, runId, 0, {
      provider: 'llama',
      model: 'm',
      promptHash,
      answer,
      body: proposalBody,
    });
    decide(store, id, 'rejected');
    const [example] = exported(store).train;
    expect(example).toMatchObject({
      task: 'proposal',
      label: 'rejected',
      reasons: [{ code: 'note', message: 'its trial did not beat the unchanged environment' }],
      messages: [
        { role: 'user', content: 'the rendered prompt' },
        { role: 'assistant', content: answer, weight: 0 },
      ],
      source: { study: 's1', family: 's1', proposal: id, provider: 'llama', author: 'automatic' },
    });
  });

  test('composed prose stays out: of a chosen edit the edit alone is told', () => {
    const store = openTestStore();
    const runId = addStudy(store, 's1');
    const id = addProposal(store, runId, 0, { isComposed: true, answer, body: proposalBody });
    decide(store, id, 'accepted');
    store.decisions.markApplied(id, 0);
    const [example] = exported(store).train;
    expect(example).toMatchObject({ task: 'edit', label: 'accepted' });
    expect(example?.messages.at(-1)).toEqual({
      role: 'assistant',
      content: '{"changes":[{"op":"remove","target":"reward crowding","edl":""}]}',
      weight: 1,
    });
    const whole = JSON.stringify(example);
    expect(whole).not.toContain(proposalBody.analysis);
    expect(whole).not.toContain(proposalBody.changes[0]?.description);
    expect(example?.messages[1]?.content).toContain('reward crowding "Keep off"');
  });

  test('the answer of an edited proposal is what the person made of it', () => {
    const store = openTestStore();
    const runId = addStudy(store, 's1');
    const promptHash = store.texts.put('prompt');
    const edited = addProposal(store, runId, 0, { promptHash, answer, body: proposalBody });
    decide(store, edited, 'edited', changedText);
    const beyond = addProposal(store, runId, 1, { answer, body: proposalBody });
    decide(store, beyond, 'edited', 'environment spread extends simple_tag {\n}\n');
    const { train, summary } = exported(store);
    expect(train).toHaveLength(1);
    expect(train[0]).toMatchObject({ task: 'edit', label: 'edited', source: { author: 'person' } });
    expect(JSON.parse(train[0]?.messages.at(-1)?.content ?? '')).toEqual({
      changes: [{ op: 'modify', target: 'set agent.accel', edl: 'set agent.accel = 6 m/s^2' }],
    });
    expect(summary.leftOut).toEqual({ undecided: 0, noAnswer: 0, notChanges: 1, otherVersion: 0 });
  });

  test('the effect of an edited answer is not that of the proposal, which alone was tried', () => {
    const store = openTestStore();
    const runId = addStudy(store, 's1');
    const edited = addProposal(store, runId, 0, { answer, body: proposalBody });
    const seed = { seed: '1', chargedSteps: 1, evaluationSteps: 1 };
    store.trials.addPair(edited, { ...seed, candidate: 3, control: 0 });
    const figures = { meanDifference: 3, low: 2, high: 4, numPairs: 1, probabilityOfImprovement: 1 };
    store.trials.conclude(edited, { ...figures, verdict: 'better' });
    decide(store, edited, 'edited', changedText);
    expect(exported(store).train.map(({ measured }) => measured)).toEqual([null]);
  });

  test('labels what the validator refused and what could not be read; what is open or silent is left out', () => {
    const store = openTestStore();
    const runId = addStudy(store, 's1');
    const promptHash = store.texts.put('prompt');
    const screened = addProposal(store, runId, 0, {
      promptHash,
      answer,
      body: proposalBody,
      state: 'invalid',
    });
    const reasons = [
      {
        code: 'neverFires',
        message: 'it fires in none of 1024 steps',
        evidence: {},
        severity: 'error' as const,
        examples: [],
      },
    ];
    store.validations.record(screened, { isValid: false, reasons }, 1);
    const failure = { code: 'coach.badOutput', message: 'it is not JSON' };
    const details = { promptFile: null, reason, enumerated: null, identity: null, failure };
    addProposal(store, runId, 1, { promptHash, answer: '{"ana', state: 'unparsed', details });
    addProposal(store, runId, 2, { answer, body: proposalBody, state: 'awaiting' });
    addProposal(store, runId, 3, { state: 'failed', details });
    const { train, summary } = exported(store);
    expect(train.map(({ label, reasons: why }) => [label, why[0]?.code])).toEqual([
      ['screened', 'neverFires'],
      ['unparsed', 'coach.badOutput'],
    ]);
    expect(train.map(({ messages }) => messages.at(-1))).toEqual([
      { role: 'assistant', content: answer, weight: 0 },
      { role: 'assistant', content: '{"ana', weight: 0 },
    ]);
    expect(summary.leftOut).toEqual({ undecided: 1, noAnswer: 1, notChanges: 0, otherVersion: 0 });
  });

  test('a change that was taken and rolled back later is not one to imitate', () => {
    const store = openTestStore();
    const runId = addStudy(store, 's1');
    const id = addProposal(store, runId, 0, { isComposed: true, answer, body: proposalBody });
    decide(store, id, 'accepted');
    store.decisions.markApplied(id, 0);
    const texts = [changedText, changedText, spreadText];
    const begin = (round: number) =>
      store.rounds.begin({
        runId,
        round,
        environmentHash: store.texts.put(texts[round - 1] ?? ''),
        environmentIdentity: 'x',
        startedAt: 1,
      });
    begin(1);
    begin(2);
    expect(exported(store).train[0]?.messages.at(-1)).toMatchObject({ weight: 1 });
    begin(3);
    const [example] = exported(store).train;
    expect(example?.messages.at(-1)).toMatchObject({ weight: 0 });
    expect(example?.reasons).toMatchObject([{ code: 'rolledBack' }]);
  });

  test('nor is one that a rollback on record undid', () => {
    const store = openTestStore();
    const runId = addStudy(store, 's1');
    const [undone, kept] = [0, 1].map((candidate) => {
      const id = addProposal(store, runId, candidate, { isComposed: true, answer, body: proposalBody });
      decide(store, id, 'accepted');
      store.decisions.markApplied(id, 0);
      return id;
    });
    store.rollbacks.record({
      runId,
      round: 1,
      fromHash: store.texts.put(changedText),
      toHash: store.texts.put(spreadText),
      measured: -2,
      incumbent: -1,
      margin: 0.5,
      proposalIds: [undone ?? ''],
      note: 'it fell',
      decidedAt: 4,
    });
    const weights = exported(store).train.map(({ source, messages }) => [source.proposal, messages.at(-1)]);
    expect(weights).toMatchObject([
      [undone, { weight: 0 }],
      [kept, { weight: 1 }],
    ]);
  });

  test('nor is one that was taken and never came into force: the run ended before', () => {
    const store = openTestStore();
    const runId = addStudy(store, 's1');
    const [waiting = '', applied = ''] = [0, 1].map((candidate) => {
      const composed = { isComposed: true, answer, body: proposalBody };
      const id = addProposal(store, runId, candidate, { ...composed, state: 'accepted' });
      decide(store, id, 'accepted');
      return id;
    });
    store.decisions.markApplied(applied, 0);
    const weights = exported(store).train.map(({ source, messages }) => [source.proposal, messages.at(-1)]);
    expect(weights).toMatchObject([
      [waiting, { weight: 0 }],
      [applied, { weight: 1 }],
    ]);
  });

  test('what was taken and then no longer applied is not one to imitate, and foreign snapshots are left out', () => {
    const store = openTestStore();
    const runId = addStudy(store, 's1');
    const composed = { isComposed: true, answer, body: proposalBody };
    decide(store, addProposal(store, runId, 0, { ...composed, state: 'failed' }), 'accepted');
    store.snapshots.insert({
      snapshotId: 'foreign',
      runId,
      round: 1,
      textHash: store.texts.put('{"version":99}'),
      createdAt: 1,
    });
    decide(store, addProposal(store, runId, 1, { ...composed, snapshotId: 'foreign' }), 'accepted');
    const { train, summary } = exported(store);
    expect(train.map(({ label, messages }) => [label, messages.at(-1)])).toMatchObject([
      ['accepted', { weight: 0 }],
    ]);
    expect(summary.leftOut).toMatchObject({ otherVersion: 1 });
  });

  test('related studies go into one part, and the same record gives the same export', () => {
    const store = openTestStore();
    for (const [studyId, text] of [
      ['a', spreadText],
      ['b', changedText],
      ['c', spreadText],
    ] as const) {
      const runId = addStudy(store, studyId, text);
      const beforeHash = store.texts.put(text);
      const given = { isComposed: true, answer, body: proposalBody, beforeHash };
      decide(store, addProposal(store, runId, 0, given), 'accepted');
    }
    const result = exported(store, [], 0.8);
    expect(result.summary.studies.map(({ study, family, part }) => [study, family, part])).toEqual([
      ['a', 'a', 'train'],
      ['b', 'b', 'test'],
      ['c', 'a', 'train'],
    ]);
    expect(result.test.map(({ source }) => source.study)).toEqual(['b']);
    expect(exported(store, [], 0.8)).toEqual(result);
    expect(exported(store, ['b']).train.map(({ source }) => source.study)).toEqual(['b']);
    expect(() => exported(store, ['z'])).toThrow(expect.objectContaining({ code: 'store.notFound' }));
  });

  test('studies of one environment may be apart where that is asked for, but not those that were asked the same', () => {
    const store = openTestStore();
    for (const [studyId, prompt] of [
      ['a', 'one'],
      ['b', 'two'],
      ['c', 'one'],
    ] as const) {
      const promptHash = store.texts.put(prompt);
      const id = addProposal(store, addStudy(store, studyId), 0, { promptHash, answer, body: proposalBody });
      decide(store, id, 'accepted');
    }
    const partsBy = (kin: ExportKinship) =>
      exported(store, [], 0.8, kin).summary.studies.map(({ study, part }) => `${study} ${part}`);
    expect(partsBy('environment')).toEqual(['a train', 'b train', 'c train']);
    expect(partsBy('experiment')).toEqual(['a train', 'b test', 'c train']);
  });
});
