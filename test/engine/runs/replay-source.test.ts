import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RoundContext } from '../../../src/engine/coach/types.ts';
import { planFile } from '../../../src/engine/runs/plan/plan-file.ts';
import { nameReplayed } from '../../../src/engine/runs/replay-source.ts';
import type { Store } from '../../../src/engine/store/index.ts';
import type { LogLine } from '../../../src/shared/contract/engine.ts';
import { rejectedBy } from '../../support/error-code.ts';
import { experimentWith } from '../../support/experiment-host.ts';
import { openTestStore, runRecord, studyRecord } from '../../support/store-records.ts';
import { ToyCoach } from '../../support/toy/toy-coach.ts';
import { toyEdl, toyText } from '../../support/toy/toy-edl.ts';
import { toyLearners } from '../../support/toy/toy-learner.ts';
import { openToyEngine, toyExperiment, writeToyWorkspace } from '../../support/toy/toy-workspace.ts';

const text = 'environment spread extends simple_spread { }\n';

function experiment(replay: object | undefined, changes: object = {}) {
  const coach = { provider: 'replay', ...(replay !== undefined && { replay }) };
  const { experiment: checked, problems } = experimentWith(
    {
      environment: 'spread.edl',
      objective: { metric: 'episode_return', group: 'agent' },
      seeds: [1, 2],
      arms: [
        { name: 'fixed', coach: 'none' },
        { name: 'again', coach },
      ],
      ...changes,
    },
    { 'spread.edl': text },
  );
  if (checked === null) throw new Error(problems.join('\n'));
  return checked;
}

interface Answered {
  readonly seeds?: readonly number[];
  readonly provider?: string;
  readonly before?: string;
}

/** A study whose arms were answered after the first round, at every seed but the last. */
function addStudy(store: Store, studyId: string, arms: Readonly<Record<string, Answered>>): void {
  store.studies.insert(studyRecord(store, { studyId }));
  for (const [arm, { seeds = [1, 2], provider = 'rules', before = text }] of Object.entries(arms)) {
    for (const [index, seed] of seeds.entries()) {
      const runId = `${studyId}.${arm}.${seed}`;
      store.runs.insert(runRecord({ runId, studyId, arm, seed }));
      if (index > 0 && index === seeds.length - 1) continue;
      const textHash = store.texts.put('{}');
      store.snapshots.insert({ snapshotId: runId, runId, round: 0, textHash, createdAt: 1 });
      store.proposals.insert({
        ...{ proposalId: runId, runId, round: 0, candidate: 0, snapshotId: runId, provider },
        ...{ model: null, promptHash: null, details: {}, createdAt: 2 },
        beforeHash: store.texts.put(before),
      });
      store.proposals.answer(runId, {
        ...{ answerHash: textHash, isComposed: true, body: null, afterHash: null, details: {} },
        state: 'invalid',
      });
    }
  }
}

const all = { arm: null, seed: null };

function named(store: Store, replay?: object, selection: { arm: string | null; seed: number | null } = all) {
  return nameReplayed(store, experiment(replay), selection).arms.map(({ coach }) => coach.replay);
}

describe('nameReplayed', () => {
  test('finds a named study by the beginning of its id, and its arm', () => {
    const store = openTestStore();
    addStudy(store, 'quickstart-1a', { fixed: {}, coached: {}, random: { provider: 'random' } });
    addStudy(store, 'quickstart-2b', { coached: {} });
    const arm = 'coached';
    expect(named(store, { study: 'quickstart-1', arm })).toEqual([
      undefined,
      { study: 'quickstart-1a', arm },
    ]);
    expect(named(store, { study: 'quickstart-2' })[1]).toEqual({ study: 'quickstart-2b', arm });
  });

  test('without a name takes the only arm that was answered here, never one that repeats another', () => {
    const store = openTestStore();
    addStudy(store, 'a', { coached: {} });
    addStudy(store, 'b', { again: { provider: 'replay' } });
    addStudy(store, 'c', { coached: { before: 'environment far extends simple_spread {}' } });
    addStudy(store, 'd', { coached: { seeds: [1, 7] } });
    expect(named(store)[1]).toEqual({ study: 'a', arm: 'coached' });
    expect(named(store, { study: 'b' })[1]).toEqual({ study: 'b', arm: 'again' });
  });

  test.each<[string, object | undefined, RegExp]>([
    ['no such study', { study: 'z' }, /arm "again" of e\.yaml is to repeat study "z", which is not in this/],
    ['an id of several', { study: 'q' }, /"q", which could be q2 or q1: give more/],
    ['no such arm', { study: 'q1', arm: 'x' }, /no.* of that name: its arms are one, two, far/],
    [
      'several arms',
      { study: 'q1' },
      /could repeat q1 \(arm one\) or q1 \(arm two\): name one with "replay:/,
    ],
    ['another environment', { study: 'q1', arm: 'far' }, /cannot repeat arm "far" of study q1: no coach was/],
    ['a seed that was not run', { study: 'q2' }, /q2 \(arm one\): it has no run with seed 2; leave that out/],
    ['several studies', undefined, /could repeat q1 \(arm one\) or q1 \(arm two\): name one/],
  ])('refuses %s', (_, replay, message) => {
    const store = openTestStore();
    addStudy(store, 'q1', { one: {}, two: {}, far: { before: 'elsewhere' } });
    addStudy(store, 'q2', { one: { seeds: [1] } });
    expect(() => named(store, replay)).toThrow(message);
  });

  test('refuses to begin where there is nothing to repeat, but asks nothing of what is left out', () => {
    const store = openTestStore();
    expect(() => named(store)).toThrow('has nothing to repeat');
    expect(named(store, undefined, { arm: 'fixed', seed: null })).toEqual([undefined, undefined]);
    addStudy(store, 'a', { coached: { seeds: [1] } });
    expect(() => named(store)).toThrow('has nothing to repeat');
    expect(named(store, undefined, { arm: null, seed: 1 })[1]).toEqual({ study: 'a', arm: 'coached' });
  });
});

describe('a study that repeats another', { timeout: 60_000 }, () => {
  const experimentPath = 'experiments/toy.yaml';
  const open = (replay?: object, toyCoach = new ToyCoach()) => {
    const coach = { provider: 'replay', trigger: { interval: 1 }, ...(replay !== undefined && { replay }) };
    const engine = openToyEngine(
      writeToyWorkspace(
        toyExperiment({ steps: 160, rounds: 2, seeds: [1], coach, arms: [{ name: 'again' }] }),
      ),
      { coach: toyCoach },
    );
    onTestFinished(() => engine.remove());
    return engine;
  };

  test('is refused before anything is on record, by start and plan, and planned with whose answers it repeats', async () => {
    const { supervisor, store, root } = open({ study: 'earlier' });
    expect(await rejectedBy(supervisor.start({ experimentPath }))).toMatchObject({
      code: 'experiment.invalid',
      message: expect.stringContaining('"earlier", which is not in this workspace'),
    });
    expect(store.studies.list()).toEqual([]);
    const tools = { root, store, trainers: 1, edl: toyEdl, learners: toyLearners };
    const plan = () => planFile(tools, { experimentPath: join(root, experimentPath), arm: null, seed: null });
    expect(plan).toThrow('"earlier", which is not in this workspace');
    addStudy(store, 'earlier-1', { coached: { seeds: [1], before: toyText(0.9) } });
    expect(plan().arms).toMatchObject([
      { provider: 'replay', replays: { study: 'earlier-1', arm: 'coached' } },
    ]);
  });

  test.each<[string, object, string | null]>([
    [
      'the study alone',
      { study: 'earlier' },
      '"again" repeats earlier-1 (arm coached), the only arm of that study that was answered in its environment',
    ],
    ['study and arm', { study: 'earlier', arm: 'coached' }, null],
  ])('is told the arm where its file names %s', async (_, replay, told) => {
    const { supervisor, store, events } = open(replay);
    addStudy(store, 'earlier-1', { coached: { seeds: [1], before: toyText(0.9) } });
    const { studyId } = await supervisor.start({ experimentPath });
    await supervisor.stop(studyId);
    const lines = events
      .filter(({ event }) => event === 'log.appended')
      .map(({ payload }) => (payload as LogLine).message)
      .filter((message) => message.includes('repeats'));
    expect(lines).toEqual(told === null ? [] : [expect.stringContaining(told)]);
  });

  test('keeps to what was found at its start, and says what that is', async () => {
    const seen: unknown[] = [];
    const asks = ({ config }: RoundContext): boolean => seen.push(config.replay) > 0;
    const { supervisor, store, events } = open(undefined, new ToyCoach({ asks }));
    addStudy(store, 'earlier-1', { coached: { seeds: [1], before: toyText(0.9) } });
    const { studyId } = await supervisor.start({ experimentPath });
    await supervisor.stop(studyId);
    const onRecord = store.runs.listByStudy(studyId)[0]?.configuration;
    expect(onRecord).toMatchObject({ coach: { replay: { study: 'earlier-1', arm: 'coached' } } });
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'log.appended',
        payload: expect.objectContaining({
          message: expect.stringContaining('"again" repeats earlier-1 (arm coached)'),
        }),
      }),
    );
    addStudy(store, 'later-1', { coached: { seeds: [1], before: toyText(0.9) } });
    await supervisor.resume(studyId);
    expect((await supervisor.whenSettled(studyId)).state).toBe('finished');
    expect(new Set(seen.map((replay) => JSON.stringify(replay)))).toEqual(
      new Set(['{"study":"earlier-1","arm":"coached"}']),
    );
  });
});
