import { expect, onTestFinished, test } from 'vitest';
import { coachEdition } from '../../../src/engine/coach/edition.ts';
import { rejectedBy } from '../../support/error-code.ts';
import { openToyEngine, toyExperiment, writeToyWorkspace } from '../../support/toy/toy-workspace.ts';

test('a study is taken up by the experiment it was started from, and by no other', {
  timeout: 60_000,
}, async () => {
  const experiment = toyExperiment({
    steps: 100,
    rounds: 1,
    seeds: [1],
    arms: [{ name: 'fixed', coach: 'none' }],
  });
  const engine = openToyEngine(writeToyWorkspace(experiment));
  onTestFinished(() => engine.remove());
  const { studyId } = await engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
  await engine.supervisor.whenSettled(studyId);
  const refused = await rejectedBy(
    engine.supervisor.start({ experimentPath: 'experiments/other.yaml', resume: studyId }),
  );
  expect(refused.code).toBe('experiment.invalid');
  for (const name of ['experiments/toy.yaml', 'experiments/other.yaml'])
    expect(refused.message).toContain(name);
  const again = await engine.supervisor.start({
    experimentPath: `${engine.root}/experiments/toy.yaml`,
    resume: studyId,
  });
  expect(again.studyId).toBe(studyId);
});

test('a study keeps by which edition of the rules its coaches began', { timeout: 60_000 }, async () => {
  const engine = openToyEngine(writeToyWorkspace(toyExperiment({ steps: 160, rounds: 2, seeds: [1] })));
  onTestFinished(() => engine.remove());
  const { studyId } = await engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
  await engine.supervisor.stop(studyId);
  expect(engine.store.studies.get(studyId).configuration).toMatchObject({ coachEdition });
  await engine.supervisor.resume(studyId);
  await engine.supervisor.stop(studyId);
  expect(JSON.stringify(engine.events)).not.toContain('may differ');
});
