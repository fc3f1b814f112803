import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { editFeatures, type Features } from '../../../../src/engine/coach/learned/edit-features.ts';
import {
  learnRanker,
  learnRankerFile,
  readExamples,
} from '../../../../src/engine/coach/learned/learn-ranker.ts';
import { knowsModel, likingFeatures } from '../../../../src/engine/coach/learned/liking-features.ts';
import { rate, readRanker } from '../../../../src/engine/coach/learned/ranker-file.ts';
import { createCoachPipeline } from '../../../../src/engine/coach/pipeline.ts';
import { sha256 } from '../../../../src/engine/files/index.ts';
import type { Store } from '../../../../src/engine/store/index.ts';
import { coachConfig, coachDependencies, compiled, roundContext } from '../../../support/coach-world.ts';
import { thrownBy } from '../../../support/error-code.ts';
import { removal, rescaled, snapshotOf } from '../../../support/experience.ts';
import { openTestStore, runRecord, studyRecord } from '../../../support/store-records.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const { name, version } = compiled().manifest;
const snapshot = JSON.stringify(snapshotOf());

/** Studies in which removing helps, and making the reward larger harms; or the other way round. */
function storeOf(numStudies: number, perStudy: number, removalGain: number): Store {
  const store = openTestStore();
  for (let study = 0; study < numStudies; study++) {
    const [studyId, runId] = [`s${study}`, `r${study}`];
    store.studies.insert(studyRecord(store, { studyId, configuration: { scenarios: { [name]: version } } }));
    store.runs.insert(runRecord({ studyId, runId }));
    for (let round = 0; round < perStudy; round++)
      tryOut(store, runId, round, round % 2 === 0 ? removalGain : -removalGain);
  }
  return store;
}

function tryOut(store: Store, runId: string, round: number, gain: number, details: object = {}): void {
  const [proposalId, snapshotId] = [`${runId}-p${round}`, `${runId}-s${round}`];
  const isRemoval = round % 2 === 0;
  store.snapshots.insert({ snapshotId, runId, round, textHash: store.texts.put(snapshot), createdAt: 1 });
  store.proposals.insert({
    ...{ proposalId, runId, round, candidate: 0, snapshotId, provider: 'random', model: null },
    ...{ promptHash: null, beforeHash: store.texts.put('x'), details: {}, createdAt: round },
  });
  const change = isRemoval ? removal : rescaled(-2 - round);
  store.proposals.answer(proposalId, {
    ...{ answerHash: null, isComposed: true, afterHash: null, details, state: 'validated' },
    body: { analysis: '', changes: [change], wishes: [] },
  });
  // A different gain each time, so that there are pairs to order.
  const mean = gain * (1 + round / 100);
  store.trials.conclude(proposalId, {
    ...{ meanDifference: mean, low: mean - 0.5, high: mean + 0.5, numPairs: 4 },
    ...{ probabilityOfImprovement: 0.5, verdict: 'better' },
  });
}

describe('learnRanker', () => {
  test('orders the trials of a study that it was not taught, and gives the same ranker again', () => {
    const store = storeOf(3, 10, 2);
    const { figures } = learnRanker(store, []);
    expect(figures.studies.map(({ study, trials }) => [study, trials])).toEqual([
      ['s0', 10],
      ['s1', 10],
      ['s2', 10],
    ]);
    // Half of the pairs are of one kind, whose order is in a feature or in nothing.
    expect(figures.right / figures.pairs).toBeGreaterThan(0.7);
    expect(learnRankerFile(store, [])).toEqual(learnRankerFile(store, []));
    expect(learnRanker(store, ['s0', 's1', 's2'])).toEqual(learnRanker(store, []));
  });

  test('refuses too few trials and studies, and says how many there are', () => {
    const few = thrownBy(() => learnRanker(storeOf(2, 4, 2), []));
    expect([few.code, few.message]).toEqual([
      'input.invalid',
      expect.stringContaining('trials 8, studies 2'),
    ]);
    expect(thrownBy(() => learnRanker(storeOf(1, 30, 2), [])).message).toContain('trials 30, studies 1');
    expect(thrownBy(() => learnRanker(storeOf(2, 12, 2), ['s7'])).code).toBe('store.notFound');
  });

  test('does not learn from what was forgotten', () => {
    const store = storeOf(2, 10, 2);
    store.memory.forget('r0-p0', 1);
    expect(thrownBy(() => learnRanker(store, [])).message).toContain('trials 19');
  });
});

describe('readExamples', () => {
  test('counts what training broke down in as bad, worse than any loss', () => {
    const store = storeOf(1, 4, 2);
    const { beforeHash, snapshotId } = store.proposals.get('r0-p0');
    store.proposals.insert({
      ...{ proposalId: 'broke', runId: 'r0', round: 9, candidate: 0, snapshotId, provider: 'random' },
      ...{ model: null, promptHash: null, beforeHash, details: {}, createdAt: 9 },
    });
    store.proposals.answer('broke', {
      ...{ answerHash: null, isComposed: true, afterHash: null, details: {}, state: 'rejected' },
      body: { analysis: '', changes: [rescaled(-500)], wishes: [] },
    });
    store.trials.fail('broke', { seed: '1', message: 'NaN', chargedSteps: 1, evaluationSteps: 0 });
    const examples = readExamples(store);
    expect(examples).toHaveLength(5);
    const worst = examples.toSorted((a, b) => a.gain - b.gain)[0];
    expect(worst).toMatchObject({ label: 0, gain: Number.NEGATIVE_INFINITY });
    expect(worst?.features['modify reward, doublings']).toBe(8);
  });
});

describe('a model that ranked', () => {
  const model = 'c'.repeat(64);

  test('teaches by what it liked, where that is on record', () => {
    // Whatever the edit is: what the model liked gained, the rest lost; of every other one nobody was asked.
    const store = openTestStore();
    for (let study = 0; study < 2; study++) {
      const [studyId, runId] = [`s${study}`, `r${study}`];
      const configuration = { scenarios: { [name]: version } };
      store.studies.insert(studyRecord(store, { studyId, configuration }));
      store.runs.insert(runRecord({ studyId, runId }));
      for (let round = 0; round < 16; round++) {
        const value = round % 4 < 2 ? 1 : -1;
        tryOut(store, runId, round, 2 * value, round % 8 < 4 ? { liking: { model, value } } : {});
      }
    }
    const { ranker, figures } = learnRanker(store, []);
    // What the edits themselves tell is nothing here: an arm that asks no model has no more than that.
    expect(figures.right / figures.pairs).toBeGreaterThan(0.6);
    expect(figures.withoutScorer).toBeLessThan(figures.right);
    for (const each of figures.studies) expect(each.withoutScorer).toBeLessThan(each.right);
    expect(knowsModel(ranker.features, model)).toBe(true);
    const chance = (features: Features) =>
      rate(ranker, { ...editFeatures(snapshotOf(), removal), ...features });
    expect(chance(likingFeatures({ model, value: 1 }))).toBeGreaterThan(chance({}));
    expect(chance(likingFeatures({ model, value: -1 }))).toBeLessThan(chance({}));
  });

  test('teaches nothing where it is not', () => {
    const { ranker, figures } = learnRanker(storeOf(2, 12, 2), []);
    expect(figures.withoutScorer).toBe(figures.right);
    expect(ranker.features.filter((feature) => feature.startsWith('model '))).toEqual([]);
  });
});

describe('provider learned', () => {
  async function targetsWith(removalGain: number, break_ = false): Promise<readonly unknown[]> {
    const { name: file, text } = learnRankerFile(storeOf(2, 12, removalGain), []);
    const folder = temporaryFolder();
    const model = join(folder, 'rankers', file);
    mkdirSync(join(folder, 'rankers'));
    writeFileSync(model, break_ ? text.replace('"version": 2', '"version":  2') : text);
    if (!break_) expect(readRanker(model).name).toBe(file);
    const config = { ...coachConfig, provider: 'learned', model, candidates: 2 } as const;
    const reason = { trigger: 'interval', detail: 'every round' } as const;
    const pipeline = createCoachPipeline(coachDependencies());
    const proposals = await pipeline.ask(roundContext({ config }), reason, new AbortController().signal);
    return proposals.map(({ provider, state, body, details }) => [
      provider,
      state,
      body === null ? (details as { failure: { code: string } }).failure.code : body.changes[0]?.op,
    ]);
  }

  test('proposes first what trials showed to help, on another target next', async () => {
    const [first, second] = await targetsWith(2);
    expect(first).toEqual(['learned', 'validated', 'remove']);
    expect(second).toEqual(['learned', expect.stringMatching(/validated|invalid/), expect.any(String)]);
  });

  test('and something else where they showed that to harm', async () => {
    const [first] = await targetsWith(-2);
    expect(first).not.toEqual(['learned', 'validated', 'remove']);
  });

  test('refuses a ranker of a version whose features meant something else', async () => {
    const { text } = learnRankerFile(storeOf(2, 12, 2), []);
    const older = text.replace('"version": 2', '"version": 1');
    const path = join(temporaryFolder(), `ranker-${sha256(older).slice(0, 16)}.json`);
    writeFileSync(path, older);
    expect(thrownBy(() => readRanker(path))).toMatchObject({
      ...{ code: 'input.invalid', message: expect.stringContaining('ranker of version 1') },
    });
  });

  test('refuses a ranker that was changed since it was named', async () => {
    expect(await targetsWith(2, true)).toEqual([['learned', 'failed', 'input.invalid']]);
  });
});
