import { describe, expect, test } from 'vitest';
import { readModelCallViews, readProposalView } from '../../../src/engine/store/index.ts';
import { proposalView } from '../../../src/shared/contract/coach.ts';
import { thrownBy } from '../../support/error-code.ts';
import { insertProposal, proposalBody, storeWithRun } from '../../support/store-records.ts';

describe('readProposalView', () => {
  test('gathers body, validation, trial and decision, and keeps to the contract', () => {
    const store = storeWithRun();
    insertProposal(store);
    const afterHash = store.texts.put('environment spread extends simple_spread {\n}\n');
    store.proposals.answer('p1', {
      answerHash: null,
      isComposed: false,
      body: proposalBody,
      afterHash,
      details: null,
      state: 'validated',
    });
    store.validations.record('p1', { isValid: true, reasons: [] }, 2100);
    store.trials.addPair('p1', {
      seed: '1',
      candidate: -8,
      control: -9,
      chargedSteps: 100,
      evaluationSteps: 50,
    });
    store.trials.addPair('p1', {
      seed: '2',
      candidate: -7,
      control: -9,
      chargedSteps: 100,
      evaluationSteps: 50,
    });
    store.trials.conclude('p1', {
      meanDifference: 1.5,
      low: 1,
      high: 2,
      numPairs: 2,
      probabilityOfImprovement: 1,
      verdict: 'better',
    });
    store.decisions.record({
      proposalId: 'p1',
      verdict: 'accepted',
      author: 'person',
      note: 'fine',
      decidedAt: 2200,
      textHash: afterHash,
    });
    const view = readProposalView(store, 'p1');
    expect(proposalView.parse(view)).toEqual(view);
    expect(view).toMatchObject({
      arm: 'coached',
      seed: 1,
      trial: {
        candidate: 'reward crowding',
        chargedSteps: 200,
        verdict: 'better',
        pairs: [{ seed: '1' }, { seed: '2' }],
      },
      decision: { verdict: 'accepted', author: 'person', note: 'fine' },
    });
    expect(view.after).toContain('{\n}');
  });

  test('a trial without a conclusion shows what was tried and charged, and what broke down', () => {
    const store = storeWithRun();
    insertProposal(store);
    expect(readProposalView(store, 'p1').trial).toBeNull();
    const steps = { chargedSteps: 100, evaluationSteps: 50 };
    store.trials.addPair('p1', { seed: '1', candidate: -8, control: -9, ...steps });
    const pairs = [{ seed: '1', candidate: -8, control: -9 }];
    expect(readProposalView(store, 'p1').trial).toMatchObject({
      ...{ state: 'unfinished', chargedSteps: 100, pairs },
    });
    store.trials.fail('p1', { seed: '2', message: 'training in it broke down', ...steps });
    const view = readProposalView(store, 'p1');
    expect(proposalView.parse(view)).toEqual(view);
    expect(view.trial).toMatchObject({
      ...{ state: 'brokeDown', chargedSteps: 200, pairs, failure: 'training in it broke down' },
    });
  });

  test('tells the prompt file with what was cut of it, where a prompt was read', () => {
    const store = storeWithRun();
    const details = {
      reason: { trigger: 'interval', detail: 'every round' },
      failure: null,
      promptFile: 'f1e2',
      cuts: ['past: 4 of 6 lines'],
    };
    insertProposal(store, { details });
    const view = readProposalView(store, 'p1');
    expect(view.prompt).toEqual({ file: 'f1e2', cuts: ['past: 4 of 6 lines'] });
    const other = storeWithRun();
    insertProposal(other, { details: { ...details, promptFile: null, cuts: [] } });
    expect(readProposalView(other, 'p1')).not.toHaveProperty('prompt');
  });

  test.each([
    [
      'no rule of the rule coach applies to this snapshot; docs/coach/rules.md lists them',
      'coach.noProposal',
    ],
    ['there are only 2 valid edits to draw from', 'coach.noProposal'],
    ['there is no valid edit to choose from', 'coach.noProposal'],
    ['the first choice was refused, and none of the 8 edits next in line passes', 'coach.noProposal'],
    ['there is no ranker r.json: "gymwright coach learn" writes one', 'input.notFound'],
    ['the record r.bin is gone; the round has to be trained again to have one.', 'input.notFound'],
  ])('an older record that says "%s" is told as %s', (message, code) => {
    const store = storeWithRun();
    const reason = { trigger: 'interval', detail: 'every round' };
    insertProposal(store, { details: { reason, failure: { code: 'input.notFound', message } } });
    expect(readProposalView(store, 'p1').failure).toEqual({ code, message });
  });

  test('tells the text that a person made of it', () => {
    const store = storeWithRun();
    insertProposal(store);
    const decision = { proposalId: 'p1', author: 'person', note: '', decidedAt: 1 } as const;
    store.decisions.record({ ...decision, verdict: 'edited', textHash: store.texts.put('mine') });
    expect(readProposalView(store, 'p1').edited).toBe('mine');
    const other = storeWithRun();
    insertProposal(other);
    other.decisions.record({ ...decision, verdict: 'accepted', textHash: other.texts.put('its') });
    expect(readProposalView(other, 'p1')).not.toHaveProperty('edited');
  });

  test('an unknown proposal is store.notFound', () => {
    expect(thrownBy(() => readProposalView(storeWithRun(), 'p9')).code).toBe('store.notFound');
  });
});

describe('readModelCallViews', () => {
  test('gives prompts and outputs as texts, in the order of the calls, and with what a model was loaded', () => {
    const store = storeWithRun();
    insertProposal(store);
    const call = {
      runId: 'r1',
      proposalId: 'p1',
      requestKey: 'k',
      model: 'tiny',
      modelHash: 'm',
      mode: 'rank' as const,
      promptHash: store.texts.put('Which edit?'),
      options: [{ text: 'a', logProb: -1, baseline: -2, score: 1 }],
      details: null,
      promptTokens: 5,
      outputTokens: 0,
      durationMs: 12.5,
      createdAt: 1,
    };
    store.modelCalls.insert({ ...call, modelCallId: 'c1', outputHash: store.texts.put('first') });
    const setup = {
      ...{ modelSha256: 'm', contextTokens: 4096, gpu: null, gpuLayers: 0, threads: 1 },
      adapters: [{ file: 'lora.gguf', sha256: 'a', scale: 0.5 }],
    };
    const details = { request: {}, answer: {}, setup };
    store.modelCalls.insert({ ...call, details, modelCallId: 'c2', outputHash: store.texts.put('second') });
    expect(readModelCallViews(store, 'p1').map((view) => view.setup)).toEqual([undefined, setup]);
    expect(readModelCallViews(store, 'p1').map(({ prompt, output }) => [prompt, output])).toEqual([
      ['Which edit?', 'first'],
      ['Which edit?', 'second'],
    ]);
    expect(store.modelCalls.findAnswer('r1', 'k')?.modelCallId).toBe('c1');
    expect(store.modelCalls.findAnswer(null, 'k')).toBeNull();
  });
});
