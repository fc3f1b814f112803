import { expect, onTestFinished, test } from 'vitest';
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
