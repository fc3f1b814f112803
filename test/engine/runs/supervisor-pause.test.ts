import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openToyEngine, toyExperiment, writeToyWorkspace } from '../../support/toy/toy-workspace.ts';

interface Held {
  finish(): void;
  /** What happens while the trainer has not yet answered a command. */
  onCommand(): void | Promise<void>;
}
const held: Held = { finish: () => {}, onCommand: () => {} };

vi.mock('../../../src/engine/runs/run-driver.ts', () => ({
  RunDriver: class {
    drive() {
      return new Promise((resolve) => {
        held.finish = () => resolve('finished');
      });
    }
    async pause() {
      await held.onCommand();
    }
    async unpause() {
      await held.onCommand();
    }
    stop() {
      held.finish();
    }
  },
}));

async function startOneRun() {
  const experiment = toyExperiment({ seeds: [1], arms: [{ name: 'fixed', coach: 'none' }] });
  const engine = openToyEngine(writeToyWorkspace(experiment));
  onTestFinished(() => engine.remove());
  const { studyId } = await engine.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
  return { supervisor: engine.supervisor, studyId };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 10));

describe('Supervisor while a trainer has not answered', () => {
  beforeEach(() => {
    held.onCommand = () => {};
  });

  test.each(['pause', 'unpause'] as const)(
    'a study whose last run ends during %s is finished',
    async (command) => {
      const { supervisor, studyId } = await startOneRun();
      held.onCommand = () => {
        held.finish();
        return settle() as Promise<void>;
      };
      expect((await supervisor[command](studyId)).state).toBe('finished');
      expect(supervisor.get(studyId)).toMatchObject({ state: 'finished', runs: [{ state: 'finished' }] });
    },
  );

  test('the later of pause and unpause holds', async () => {
    const { supervisor, studyId } = await startOneRun();
    const delays = [10, 0];
    held.onCommand = () => new Promise((resolve) => setTimeout(resolve, delays.shift()));
    const pausing = supervisor.pause(studyId);
    await supervisor.unpause(studyId);
    await pausing;
    expect(supervisor.get(studyId)).toMatchObject({ state: 'running', runs: [{ state: 'running' }] });
  });
});
