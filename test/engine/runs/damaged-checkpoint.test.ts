import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LogLine } from '../../../src/shared/contract/engine.ts';
import {
  openToyEngine,
  studyFigures,
  type ToyEngine,
  toyExperiment,
  writeToyWorkspace,
} from '../../support/toy/toy-workspace.ts';

const experiment = toyExperiment({ seeds: [1], arms: [{ name: 'coached' }] });

function open(root: string): ToyEngine {
  const engine = openToyEngine(root, { checkpointEveryMs: 1 });
  onTestFinished(() => engine.remove());
  return engine;
}

async function undisturbedFigures(): Promise<unknown> {
  const engine = open(writeToyWorkspace(experiment));
  const { studyId } = await engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
  await engine.supervisor.whenSettled(studyId);
  return studyFigures(engine.store, studyId);
}

/** Stops a study under way, once two rounds are on record. */
async function stopInTheMiddle(engine: ToyEngine): Promise<{ studyId: string; runId: string }> {
  const { studyId, runs } = await engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
  const runId = runs[0]?.runId ?? '';
  while (engine.store.checkpoints.listByRun(runId).filter(({ isRoundEnd }) => isRoundEnd).length < 2) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await engine.supervisor.stop(studyId);
  return { studyId, runId };
}

test.each([
  { what: 'the newest is cut off', numBad: 1, spoil: (file: string) => truncateSync(file, 40) },
  { what: 'the newest two are gone', numBad: 2, spoil: (file: string) => rmSync(file) },
  { what: 'all are gone', numBad: Number.POSITIVE_INFINITY, spoil: (file: string) => rmSync(file) },
])(
  'goes on from the checkpoint before, to the same figures: $what',
  { timeout: 120_000 },
  async ({ numBad, spoil }) => {
    process.env.TOY_ITERATION_MS = '10';
    onTestFinished(() => {
      delete process.env.TOY_ITERATION_MS;
    });
    const expected = await undisturbedFigures();
    const engine = open(writeToyWorkspace(experiment));
    const { studyId, runId } = await stopInTheMiddle(engine);
    const bad = engine.store.checkpoints.listByRun(runId).reverse().slice(0, numBad);
    for (const { file } of bad) spoil(join(engine.root, '.gymwright', 'runs', runId, file));

    await engine.supervisor.resume(studyId);
    expect((await engine.supervisor.whenSettled(studyId)).state).toBe('finished');
    expect(studyFigures(engine.store, studyId)).toEqual(expected);
    const warnings = engine.events.flatMap(({ event, payload }) =>
      event === 'log.appended' && (payload as LogLine).level === 'warning'
        ? [(payload as LogLine).message]
        : [],
    );
    for (const { file } of bad) expect(warnings.some((message) => message.includes(file))).toBe(true);
  },
);
