import { describe, expect, onTestFinished, test } from 'vitest';
import { compareRuns, listStudyViews, readStudyView } from '../../../src/engine/runs/index.ts';
import { readRunView } from '../../../src/engine/runs/views.ts';
import { runRecord, storeWithRun } from '../../support/store-records.ts';
import { openToyEngine, type ToyEngine, writeToyWorkspace } from '../../support/toy/toy-workspace.ts';

async function finishedStudy(): Promise<{ engine: ToyEngine; studyId: string }> {
  const engine = openToyEngine(writeToyWorkspace());
  onTestFinished(() => engine.remove());
  const { studyId } = await engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
  await engine.supervisor.whenSettled(studyId);
  return { engine, studyId };
}

describe('views', { timeout: 120_000 }, () => {
  test('a study lists its runs and sums up arms of finished runs only', async () => {
    const { engine, studyId } = await finishedStudy();
    const { store } = engine;
    const [first] = store.runs.listByStudy(studyId);
    if (first === undefined) throw new Error('no runs');
    store.runs.update(first.runId, { state: 'failed', stepsPerSecond: 100 });
    const view = readStudyView(store, studyId);
    expect(listStudyViews(store)).toEqual([view]);
    expect(view.runs).toContainEqual(readRunView(store, first.runId));
    expect(readRunView(store, first.runId)).toMatchObject({
      state: 'failed',
      stepsPerSecond: null,
      step: 400,
    });
    expect(view.arms[0]).toMatchObject({ name: 'fixed', coach: null, seeds: [1, 2] });
    expect(view.arms[1]?.coach).toEqual({ provider: 'rules', model: null });
    // Only seed 2 is left of the first arm, so one value and no spread.
    expect(view.arms[0]?.objective?.low).toBe(view.arms[0]?.objective?.high);
    expect(() => readRunView(store, 'nothing')).toThrow(expect.objectContaining({ code: 'store.notFound' }));
  });

  test('a run says what its coach remembers, by hash; one that remembers nothing does not', () => {
    const store = storeWithRun();
    const { configuration } = store.runs.get('r1');
    const remembering = { ...(configuration as object), experience: 'f00d' };
    store.runs.insert(runRecord({ runId: 'r2', seed: 2, configuration: remembering }));
    expect(readRunView(store, 'r2').experience).toBe('f00d');
    expect(readRunView(store, 'r1')).not.toHaveProperty('experience');
  });

  test('settings of coaches are compared among the arms that have one', () => {
    const store = storeWithRun();
    const add = (runId: string, provider: string, seeds: number): void =>
      store.runs.insert(
        runRecord({ runId, arm: runId, configuration: { coach: { provider, whatif: { seeds } } } }),
      );
    add('none', 'none', 1);
    add('two', 'rules', 2);
    add('three', 'rules', 3);
    const seeds = (...runIds: string[]) =>
      compareRuns(store, runIds).configuration.find(({ key }) => key === 'coach.whatif.seeds');
    expect(seeds('none', 'two')).toMatchObject({ values: [null, '2'], differs: false });
    expect(seeds('none', 'two', 'three')).toMatchObject({ values: [null, '2', '3'], differs: true });
  });

  test('a comparison shows where configurations and environments differ, with last values and ranges', async () => {
    const { engine, studyId } = await finishedStudy();
    const runs = engine.store.runs.listByStudy(studyId).filter((run) => run.seed === 1);
    const compared = compareRuns(
      engine.store,
      runs.map((run) => run.runId),
    );
    const byKey = new Map(compared.configuration.map((row) => [row.key, row]));
    expect(byKey.get('coach.provider')).toEqual({
      key: 'coach.provider',
      values: ['none', 'rules'],
      differs: true,
    });
    // What stands on record for an arm without a coach is no difference to one with a coach.
    expect(byKey.get('coach.trigger.plateau')).toMatchObject({ values: [null, 'null'], differs: false });
    expect(compared.configuration.filter(({ differs }) => differs).map(({ key }) => key)).toEqual([
      'coach.provider',
    ]);
    expect(byKey.get('learner.numEnvs')).toMatchObject({ values: ['4', '4'], differs: false });
    expect(compared.environments).toHaveLength(8);
    expect(new Set(compared.environments.map(({ identity }) => identity)).size).toBe(2);
    const objectives = compared.summaries.filter(({ key }) => key === 'eval/objective');
    expect(objectives).toHaveLength(2);
    for (const { last, min, max } of objectives) {
      expect(min).toBeLessThanOrEqual(last ?? Number.NaN);
      expect(max).toBeGreaterThanOrEqual(last ?? Number.NaN);
    }
    expect(() => compareRuns(engine.store, ['nothing'])).toThrow(
      expect.objectContaining({ code: 'store.notFound' }),
    );
  });
});
