import { describe, expect, test } from 'vitest';
import { collectExperience, collectOwnPast } from '../../../../src/engine/coach/memory/collect-experience.ts';
import { hasHelped } from '../../../../src/engine/coach/memory/experience.ts';
import {
  freezeExperience,
  readFrozenExperience,
} from '../../../../src/engine/coach/memory/frozen-experience.ts';
import { createCoachPipeline } from '../../../../src/engine/coach/pipeline.ts';
import type { CoachDependencies } from '../../../../src/engine/coach/types.ts';
import { describeFailure } from '../../../../src/engine/coach/whatif/trial-failure.ts';
import { sha256 } from '../../../../src/engine/files/index.ts';
import type { Store } from '../../../../src/engine/store/index.ts';
import { coachDependencies, compiled, roundContext } from '../../../support/coach-world.ts';
import { thrownBy } from '../../../support/error-code.ts';
import { experienceObjective } from '../../../support/experience.ts';
import { openTestStore, runRecord, studyRecord } from '../../../support/store-records.ts';

const { name, version } = compiled().manifest;
const here = new Map([[name, version]]);
const all = { scenarios: here, forgotten: new Set<string>(), limit: null };

/** A store with studies whose rule coach was asked once: proposals …-p1-1 and …-p1-2 of each. */
async function storeOf(...studies: readonly string[]): Promise<Store> {
  const store = openTestStore();
  for (const [index, studyId] of studies.entries()) {
    const configuration = { scenarios: { [name]: version } };
    store.studies.insert(studyRecord(store, { studyId, configuration, createdAt: index }));
    store.runs.insert(runRecord({ studyId, runId: `${studyId}-r` }));
    const deps: CoachDependencies = coachDependencies({ store, now: () => index });
    const context = roundContext({ studyId, runId: `${studyId}-r` });
    const reason = { trigger: 'interval', detail: 'every round' } as const;
    await createCoachPipeline(deps).ask(context, reason, new AbortController().signal);
  }
  return store;
}

function conclude(store: Store, proposalId: string, meanDifference: number): void {
  for (const seed of ['1', '2'])
    store.trials.addPair(proposalId, {
      seed,
      candidate: meanDifference,
      control: 0,
      chargedSteps: 500,
      evaluationSteps: 100,
    });
  const [low, high] = [meanDifference - 1, meanDifference + 1];
  const verdict = low > 0 ? 'better' : 'notBetter';
  store.trials.conclude(proposalId, {
    ...{ meanDifference, low, high, numPairs: 2, probabilityOfImprovement: 0.9, verdict },
  });
}

function decide(store: Store, proposalId: string, author: 'automatic' | 'person'): void {
  store.decisions.record({ proposalId, verdict: 'rejected', author, note: '', textHash: null, decidedAt: 9 });
}

describe('collectExperience', () => {
  test('takes what was tried, gains and losses, and what a person decided', async () => {
    const store = await storeOf('s1', 's2');
    conclude(store, 's1-r-p1-1', 3);
    conclude(store, 's1-r-p1-2', -2);
    decide(store, 's2-r-p1-1', 'person');
    decide(store, 's2-r-p1-2', 'automatic');
    const entries = collectExperience(store, all);
    expect(entries.map(({ source, label, measured }) => [source.proposal, label, measured])).toEqual([
      ['s2-r-p1-1', 'rejected', null],
      [
        's1-r-p1-2',
        'undecided',
        { meanDifference: -2, low: -3, high: -1, numPairs: 2, verdict: 'notBetter' },
      ],
      ['s1-r-p1-1', 'undecided', { meanDifference: 3, low: 2, high: 4, numPairs: 2, verdict: 'better' }],
    ]);
    expect(entries[2]).toMatchObject({
      chargedSteps: 1000,
      changes: [{ op: 'remove', target: 'reward crowding' }],
      replaced: [
        expect.stringMatching(/^reward crowding "Keep off" \{ for a in agent when .* give -1 to a \}$/),
      ],
    });
  });

  test('an edit by a person that left the text as it was is an acceptance; another one is told as such', async () => {
    const store = await storeOf('s1');
    const edit = (proposalId: string, textHash: string) =>
      store.decisions.record({
        ...{ proposalId, verdict: 'edited', author: 'person', note: '', textHash, decidedAt: 9 },
      });
    for (const candidate of [1, 2]) conclude(store, `s1-r-p1-${candidate}`, 3);
    edit('s1-r-p1-1', store.proposals.get('s1-r-p1-1').afterHash ?? '');
    edit('s1-r-p1-2', store.texts.put('environment other extends simple_spread {}'));
    const told = collectExperience(store, all).map((entry) => [entry.label, hasHelped(entry)]);
    expect(told).toEqual([
      ['edited', false],
      ['accepted', true],
    ]);
  });

  test('leaves out other scenarios and versions, what was forgotten, and more than was asked for', async () => {
    const store = await storeOf('s1', 's2');
    for (const proposalId of ['s1-r-p1-1', 's2-r-p1-1']) conclude(store, proposalId, 3);
    const proposals = (wanted: Partial<typeof all> | { limit: number }) =>
      collectExperience(store, { ...all, ...wanted }).map(({ source }) => source.proposal);
    expect(proposals({ scenarios: new Map([[name, version + 1]]) })).toEqual([]);
    expect(proposals({ scenarios: new Map([['capture', version]]) })).toEqual([]);
    expect(proposals({ forgotten: new Set(['s2-r-p1-1']) })).toEqual(['s1-r-p1-1']);
    expect(proposals({ limit: 1 })).toEqual(['s2-r-p1-1']);
  });

  test('what training broke down in is told; what lost its control to that is not', async () => {
    const store = await storeOf('s1');
    const steps = { seed: '1', chargedSteps: 700, evaluationSteps: 0 };
    const branch = { score: 1, standardError: 0, error: null, trainedSteps: 1, evaluationSteps: 1 };
    const broken = { ...branch, score: null, error: { code: 'learner.nonfinite' as const, message: 'NaN' } };
    store.trials.fail('s1-r-p1-1', { ...steps, message: describeFailure(broken, branch) });
    store.trials.fail('s1-r-p1-2', { ...steps, message: describeFailure(branch, broken) });
    expect(collectExperience(store, all)).toMatchObject([
      { source: { proposal: 's1-r-p1-1' }, brokeDown: true, measured: null, chargedSteps: 700 },
    ]);
  });

  test('tells where and against whom the objective of a run is measured', async () => {
    const store = await storeOf('s1');
    conclude(store, 's1-r-p1-1', 3);
    expect(collectExperience(store, all).map(({ objective }) => objective)).toEqual([experienceObjective]);
  });

  test('an entry that was frozen before it said where is read, and says nothing of it', async () => {
    const store = await storeOf('s1');
    conclude(store, 's1-r-p1-1', 3);
    const frozen = store.texts.get(freezeExperience(store, here));
    const older = store.texts.put(frozen.replace(/,"measuredIn":"[0-9a-f]+"/, ''));
    expect(readFrozenExperience(store, older).entries[0]?.objective.measuredIn).toBeNull();
  });

  test('reads no more snapshots than it takes, and none of studies of other scenarios', async () => {
    const store = await storeOf('s1', 's2');
    for (const proposalId of ['s1-r-p1-1', 's2-r-p1-1']) conclude(store, proposalId, 3);
    const snapshotsRead = (wanted: Partial<Parameters<typeof collectExperience>[1]>) => {
      const read = new Set<string>();
      const snapshots = {
        ...store.snapshots,
        get: (id: string) => {
          read.add(id);
          return store.snapshots.get(id);
        },
      };
      collectExperience({ ...store, snapshots }, { ...all, ...wanted });
      return [...read].map((id) => store.snapshots.get(id).runId);
    };
    expect(snapshotsRead({ limit: 1 })).toEqual(['s2-r']);
    expect(snapshotsRead({ scenarios: new Map([['capture', version]]) })).toEqual([]);
    expect(snapshotsRead({})).toEqual(['s2-r', 's1-r']);
  });

  test('leaves out a snapshot that this version cannot read', async () => {
    const store = await storeOf('s1');
    store.snapshots.insert({
      snapshotId: 'odd',
      runId: 's1-r',
      round: 1,
      textHash: store.texts.put('{"version": 9}'),
      createdAt: 1,
    });
    const known = store.proposals.get('s1-r-p1-1');
    store.proposals.insert({ ...known, proposalId: 'x', round: 1, snapshotId: 'odd' });
    store.proposals.answer('x', { ...known, state: 'validated' });
    conclude(store, 'x', 3);
    expect(collectExperience(store, all)).toEqual([]);
  });
});

describe('collectOwnPast', () => {
  test('holds what was tried before a boundary, and nothing of that boundary itself', async () => {
    const store = await storeOf('s1');
    conclude(store, 's1-r-p1-1', 3);
    const past = (round: number, lag: number) =>
      collectOwnPast(store, {
        run: { runId: 's1-r', studyId: 's1', arm: 'coached', seed: 1 },
        ...{ scenario: { name, version }, round, lag },
        objective: experienceObjective,
      }).map(({ source }) => source.proposal);
    expect([past(0, 0), past(1, 0), past(1, 1), past(2, 1)]).toEqual([[], ['s1-r-p1-1'], [], ['s1-r-p1-1']]);
  });
});

describe('freezeExperience', () => {
  test('keeps to what was known, whatever is learned or forgotten later', async () => {
    const store = await storeOf('s1', 's2');
    conclude(store, 's1-r-p1-1', 3);
    const hash = freezeExperience(store, here);
    expect(freezeExperience(store, here)).toBe(hash);
    const frozen = readFrozenExperience(store, hash);
    expect(frozen).toEqual({ hash, entries: collectExperience(store, all) });
    conclude(store, 's2-r-p1-1', 3);
    store.memory.forget('s1-r-p1-1', 5);
    expect(readFrozenExperience(store, hash)).toEqual(frozen);
    const later = readFrozenExperience(store, freezeExperience(store, here));
    expect(later.entries.map(({ source }) => source.proposal)).toEqual(['s2-r-p1-1']);
  });

  test('refuses a text that is not what its hash says, with both hashes', async () => {
    const store = await storeOf('s1');
    const hash = freezeExperience(store, here);
    const altered = store.texts.get(hash).replace('"version":1', '"version": 1');
    const texts = { get: () => altered, has: () => true };
    const error = thrownBy(() => readFrozenExperience({ texts }, hash));
    expect(error.code).toBe('store.corrupt');
    for (const part of [hash, sha256(altered), 'backup']) expect(error.message).toContain(part);
  });

  test('a memory that is not there is told with where hashes are shown', async () => {
    const error = thrownBy(() => readFrozenExperience({ texts: openTestStore().texts }, 'f00'));
    expect(error.code).toBe('store.notFound');
    expect(error.message).toMatch(/no frozen memory "f00".*runs compare STUDY --all.*"experience"/);
  });

  test('refuses a text in another form', async () => {
    const store = await storeOf();
    const hash = store.texts.put('{"version": 2, "entries": []}');
    expect(thrownBy(() => readFrozenExperience(store, hash)).code).toBe('store.corrupt');
  });
});
