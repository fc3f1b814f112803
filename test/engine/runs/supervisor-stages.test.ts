import { expect, onTestFinished, test } from 'vitest';
import { readLoopState } from '../../../src/engine/runs/loop-state.ts';
import type { RunView } from '../../../src/shared/contract/runs.ts';
import { toyText } from '../../support/toy/toy-edl.ts';
import {
  openToyEngine,
  studyFigures,
  toyExperiment,
  writeToyWorkspace,
} from '../../support/toy/toy-workspace.ts';

// The scores of the toy policy rise with training, and so does its coverage.
const stages = [
  'easy { set bias = 0 until coverage > 0.3 for 2 evaluations }',
  'misleading { set bias = 0.1 until coverage > 2 }',
  'never { set bias = 0.2 }',
];
const options = { steps: 400, rounds: 4, seeds: [1] };

async function runStaged(
  experiment: string,
): Promise<{ figures: Record<string, unknown>; engine: ReturnType<typeof openToyEngine> }> {
  const engine = openToyEngine(writeToyWorkspace(experiment, toyText(0.9, stages)));
  onTestFinished(() => engine.remove());
  const { studyId } = await engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
  await engine.supervisor.whenSettled(studyId);
  return { figures: studyFigures(engine.store, studyId), engine };
}

test.each([
  ['without a coach', [{ name: 'fixed', coach: 'none' }]],
  ['beside a coach', [{ name: 'coached' }]],
])(
  'a run goes through its stages %s, and the record says when and why',
  { timeout: 60_000 },
  async (_, arms) => {
    const { engine } = await runStaged(toyExperiment({ ...options, arms }));
    const [run] = engine.supervisor.list()[0]?.runs ?? [];
    expect(run).toMatchObject({ state: 'finished', stage: { name: 'misleading', index: 1, count: 3 } });
    const { plans } = readLoopState(engine.store.runs.get(run?.runId ?? '').loop);
    const moves = plans.flatMap(({ move }) => move ?? []);
    expect(moves).toHaveLength(1);
    const [move] = moves;
    expect(move).toMatchObject({ from: 'easy', to: 'misleading', condition: 'coverage > 0.3' });
    expect(move?.metrics.coverage).toBeGreaterThan(0.3);
    const moved = plans.findIndex((plan) => plan.move !== null);
    expect(plans.map(({ stage }) => stage?.name)).toEqual(
      plans.map((__, round) => (round < moved ? 'easy' : 'misleading')),
    );
    const begun = plans[moved]?.stage?.sinceStep ?? 0;
    // The trials of the boundary are charged before the round begins.
    const trialSteps = (plans[moved]?.trialSteps ?? 0) - (plans[moved - 1]?.trialSteps ?? 0);
    expect(begun).toBe((move?.step ?? 0) + trialSteps);
    const identities = engine.store.rounds
      .listByRun(run?.runId ?? '')
      .map((round) => round.environmentIdentity);
    expect(new Set(identities).size).toBe(2);
    const told = engine.events.flatMap(({ event, payload }) =>
      event === 'log.appended' ? [payload as { message: string }] : [],
    );
    expect(
      told.filter(({ message }) => message.startsWith('stage easy is over (coverage > 0.3: coverage')),
    ).toHaveLength(1);
    const views = engine.events.flatMap(({ event, payload }) =>
      event === 'run.changed' ? [payload as RunView] : [],
    );
    expect(new Set(views.map(({ stage }) => stage?.name))).toEqual(
      new Set([undefined, 'easy', 'misleading']),
    );
  },
);

test('a run that is stopped and taken up goes through the same stages to the same figures', {
  timeout: 60_000,
}, async () => {
  const experiment = toyExperiment({ ...options, arms: [{ name: 'fixed', coach: 'none' }] });
  const { figures } = await runStaged(experiment);
  const engine = openToyEngine(writeToyWorkspace(experiment, toyText(0.9, stages)));
  onTestFinished(() => engine.remove());
  const { studyId } = await engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
  for (let stop = 0; stop < 3; stop++) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    await engine.supervisor.stop(studyId);
    await engine.supervisor.resume(studyId);
  }
  await engine.supervisor.whenSettled(studyId);
  expect(studyFigures(engine.store, studyId)).toEqual(figures);
});

test('an experiment with fewer rounds than stages is refused', async () => {
  const engine = openToyEngine(writeToyWorkspace(toyExperiment({ rounds: 2 }), toyText(0.9, stages)));
  onTestFinished(() => engine.remove());
  await expect(engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' })).rejects.toThrow(
    '2 rounds never reach the last of the 3 stages of "toy_world"',
  );
});
