import { describe, expect, onTestFinished, test } from 'vitest';
import type { LogLine } from '../../../src/shared/contract/engine.ts';
import { ToyCoach, type ToyCoachOptions } from '../../support/toy/toy-coach.ts';
import { toyText } from '../../support/toy/toy-edl.ts';
import {
  openToyEngine,
  studyFigures,
  type ToyEngine,
  type ToyExperiment,
  toyExperiment,
  writeToyWorkspace,
} from '../../support/toy/toy-workspace.ts';

interface Setting {
  readonly experiment?: ToyExperiment;
  readonly coach?: ToyCoachOptions;
  readonly training?: string;
  readonly onLog?: (engine: ToyEngine, line: LogLine) => void;
}

/** One coached run; its rounds have a single iteration each, after which the round is over. */
async function startRun({ experiment, coach, training, onLog }: Setting = {}) {
  const file = toyExperiment({ rounds: 20, seeds: [1], arms: [{ name: 'coached' }], ...experiment });
  const engine = openToyEngine(writeToyWorkspace(file, training), {
    coach: new ToyCoach({ asks: ({ round }) => round === 0, ...coach }),
    emit: (event, payload) => {
      if (event === 'log.appended') onLog?.(engine, payload as LogLine);
    },
  });
  onTestFinished(() => engine.remove());
  const { studyId } = await engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
  const runId = `${studyId}.coached.1`;
  const figures = async () => {
    expect((await engine.supervisor.whenSettled(studyId)).state).toBe('finished');
    return studyFigures(engine.store, studyId);
  };
  const numEnded = () =>
    engine.store.rounds.listByRun(runId).filter(({ outcome }) => outcome !== null).length;
  const state = () => engine.supervisor.get(studyId).runs[0]?.state;
  return { ...engine, studyId, runId, figures, numEnded, state };
}

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 5) {
    if (waited > 60_000) throw new Error('waited for a minute');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 150));

function slowDown(iterationMs: number): void {
  process.env.TOY_ITERATION_MS = String(iterationMs);
  onTestFinished(() => {
    delete process.env.TOY_ITERATION_MS;
  });
}

/** Processes start slowly on a busy machine. */
describe('RunDriver while its run is paused', { timeout: 120_000 }, () => {
  test('asks no coach at the end of a round, and begins no other round', async () => {
    const expected = await (await startRun()).figures();
    slowDown(100);
    const { supervisor, store, coach, studyId, runId, figures, numEnded, state } = await startRun();
    await until(() => store.rounds.listByRun(runId).length > 0);
    await supervisor.pause(studyId);
    await until(() => numEnded() > 0);
    await settle();
    expect(coach.calls).toEqual([]);
    expect(numEnded()).toBe(1);
    expect(state()).toBe('paused');
    await supervisor.unpause(studyId);
    expect(state()).toBe('running');
    expect(await figures()).toEqual(expected);
    expect(coach.calls).toEqual(['ask 0', 'try 0 at 0']);
  });

  test('takes down an answer that is under way, tries nothing out, and can be stopped and taken up there', async () => {
    const expected = await (await startRun()).figures();
    let answer = () => {};
    const think = () =>
      new Promise<void>((resolve) => {
        answer = resolve;
      });
    const { supervisor, store, coach, studyId, runId, figures, numEnded, state } = await startRun({
      coach: { think },
    });
    await until(() => coach.calls.length > 0);
    await supervisor.pause(studyId);
    answer();
    await until(() => coach.calls.length > 1);
    await settle();
    expect(coach.calls).toEqual(['ask 0', 'try 0 at 0']);
    expect(store.rounds.listByRun(runId)).toHaveLength(1);
    expect(state()).toBe('paused');
    expect((await supervisor.stop(studyId)).state).toBe('stopped');
    expect(numEnded()).toBe(1);
    await supervisor.resume(studyId);
    await until(() => coach.calls.length > 2);
    answer();
    expect(await figures()).toEqual(expected);
  });

  test('goes back to the incumbent and asks about it later', async () => {
    const setting: Setting = {
      training: toyText(-1),
      experiment: { steps: 1600, rounds: 4, learner: { learningRate: 0.5 } },
      // What makes it worse is taken once.
      coach: {
        propose: ({ round }) => (round === 0 ? 1 : -1),
        accept: () => true,
        asks: ({ round }) => round <= 1,
      },
    };
    const expected = await (await startRun(setting)).figures();
    const { supervisor, coach, studyId, figures, numEnded, state } = await startRun({
      ...setting,
      onLog: (engine, { runId, message }) => {
        if (message.includes('back to the environment'))
          void engine.supervisor.pause(engine.store.runs.get(runId ?? '').studyId);
      },
    });
    await until(() => state() === 'paused');
    await settle();
    expect(numEnded()).toBe(2);
    expect(coach.calls).toEqual(['ask 0', 'try 0 at 0']);
    await supervisor.unpause(studyId);
    expect(await figures()).toEqual(expected);
    expect(coach.calls).toContain('ask 1');
  });
});
