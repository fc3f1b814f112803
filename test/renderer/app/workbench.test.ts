import { describe, expect, test } from 'vitest';
import { createWorkbench } from '../../../src/renderer/app/workbench.ts';
import { createMemoryStorage } from '../../../src/renderer/state/storage.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { createFakeClient } from '../support/fake-client.ts';
import { makeRun } from '../support/fixtures.ts';

function setUp() {
  const fake = createFakeClient({});
  const workbench = createWorkbench({
    client: fake.client,
    storage: createMemoryStorage(),
    systemTheme: 'light',
  });
  const notices = () => workbench.notices.store.getState().notices;
  return { fake, workbench, notices };
}

describe('createWorkbench', () => {
  test('a failed command becomes a notice with the error in its own words', async () => {
    const { workbench, notices } = setUp();
    const isDone = await workbench.attempt('The experiment did not start', async () => {
      throw new AppError('experiment.invalid', 'line 3: unknown key "budgt", did you mean "budget"?');
    });
    expect(isDone).toBe(false);
    expect(notices()).toMatchObject([{ level: 'error', title: 'The experiment did not start' }]);
    expect(notices()[0]?.detail).toContain('did you mean "budget"? (experiment.invalid)');
  });

  test('an error goes once the same thing works, and is not said twice', async () => {
    const { workbench, notices } = setUp();
    const refuse = async () => {
      throw new AppError('experiment.invalid', 'line 3: unknown key "budgt"');
    };
    await workbench.attempt('The experiment did not start', refuse);
    await workbench.attempt('The experiment did not start', refuse);
    await workbench.attempt('Not saved', refuse);
    expect(notices()).toHaveLength(2);
    await workbench.attempt('The experiment did not start', async () => undefined);
    expect(notices().map(({ title }) => title)).toEqual(['Not saved']);
  });

  test('a run that fails is said once per failure', () => {
    const { fake, notices } = setUp();
    const failed = makeRun({
      state: 'failed',
      error: { code: 'trainer.died', message: 'the trainer ended' },
    });
    fake.emit('run.changed', failed);
    fake.emit('run.changed', failed);
    expect(notices()).toHaveLength(1);
    fake.emit('run.changed', makeRun({ state: 'running' }));
    expect(notices()).toHaveLength(0);
    fake.emit('run.changed', failed);
    expect(notices()).toHaveLength(1);
  });

  test('an engine that does not answer is a state of each part, not an exception', async () => {
    const { workbench } = setUp();
    expect(await workbench.load()).toEqual([]);
    expect(workbench.workspace.store.getState().info.status).toBe('failed');
    expect(workbench.status.store.getState().engine.state).toBe('lost');
  });
});
