import { describe, expect, test } from 'vitest';
import { createWatchModel, readSeed } from '../../../src/renderer/state/watch-model.ts';
import type { PlayableView, PolicyPlayView } from '../../../src/shared/contract/policies.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { createFakeClient } from '../support/fake-client.ts';

const playable: PlayableView = {
  runId: 'r1',
  policies: [{ round: 0, groups: ['agent'], chargedSteps: 10, objective: -3 }],
  training: [{ from: 0, to: 0 }],
  objective: 'simple_spread',
};

/** A model whose plays are answered by hand, in the order they were asked. */
function setUp() {
  const asked: { answer: (view: PolicyPlayView) => void; refuse: (error: AppError) => void }[] = [];
  const fake = createFakeClient({
    policies: {
      playable: async ({ runId }) => {
        if (runId === 'gone') throw new AppError('store.notFound', 'there is no run "gone"');
        return { ...playable, runId };
      },
      play: () => new Promise((answer, refuse) => asked.push({ answer, refuse })),
      cancelPlay: async () => ({}),
    },
  });
  const model = createWatchModel(fake.client, 'w');
  const argsOf = (call: string) => fake.calls.filter((each) => each.call === call).map(({ args }) => args);
  return { model, asked, argsOf, state: () => model.store.getState() };
}

const view = (episode: number) => ({ episode }) as PolicyPlayView;

describe('createWatchModel', () => {
  test('asks for the chosen episode and shows it', async () => {
    const { model, asked, argsOf, state } = setUp();
    model.watch('r1');
    model.choose({ environment: 'training', round: 2, trainedIn: 1, seed: ' 12 ', episode: 4 });
    const playing = model.start();
    expect(state().play.status).toBe('pending');
    asked[0]?.answer(view(4));
    await playing;
    expect(state().play).toEqual({ status: 'ready', value: view(4) });
    expect(argsOf('policies.play')).toEqual([
      { runId: 'r1', environment: 'training', round: 2, trainedIn: 1, seed: 12, episode: 4, ticket: 'w-2' },
    ]);
    const next = model.next();
    asked[1]?.answer(view(5));
    await next;
    expect(state()).toMatchObject({ choice: { episode: 5 }, play: { value: view(5) } });
  });

  test('what is left open is left to the engine; a round of training says nothing of the objective', async () => {
    const { model, argsOf } = setUp();
    model.watch('r1');
    model.choose({ trainedIn: 1 });
    void model.start();
    expect(argsOf('policies.play')).toEqual([
      { runId: 'r1', environment: 'objective', episode: 0, ticket: 'w-2' },
    ]);
  });

  test('a newer play ends the one under way, whose answer is not shown', async () => {
    const { model, asked, argsOf, state } = setUp();
    model.watch('r1');
    const first = model.start();
    const second = model.start();
    expect(argsOf('policies.cancelPlay')).toEqual([{ ticket: 'w-2' }]);
    asked[1]?.answer(view(1));
    asked[0]?.answer(view(0));
    await Promise.all([first, second]);
    expect(state().play).toEqual({ status: 'ready', value: view(1) });
  });

  test('who cancels sees nothing of it; a failure is told', async () => {
    const { model, asked, argsOf, state } = setUp();
    model.watch('r1');
    const playing = model.start();
    model.cancel();
    expect(state().play).toEqual({ status: 'idle' });
    expect(argsOf('policies.cancelPlay')).toEqual([{ ticket: 'w-2' }]);
    asked[0]?.refuse(new AppError('run.cancelled', 'the play was cancelled'));
    await playing;
    expect(state().play).toEqual({ status: 'idle' });
    const failing = model.start();
    asked[1]?.refuse(new AppError('input.notFound', 'run r1 has no policy yet'));
    await failing;
    expect(state().play).toMatchObject({ status: 'failed', error: { code: 'input.notFound' } });
  });

  test('another run begins anew, and an answer about the one before is not taken for its', async () => {
    const { model, asked, state } = setUp();
    model.watch('r1');
    model.choose({ episode: 9 });
    const playing = model.start();
    model.watch('gone');
    asked[0]?.answer(view(9));
    await playing;
    expect(state()).toMatchObject({ runId: 'gone', choice: { episode: 0 }, play: { status: 'idle' } });
    await expect.poll(() => state().playable).toMatchObject({ error: { code: 'store.notFound' } });
    model.watch('gone');
    expect(state().playable.status).toBe('failed');
  });

  test('what is no seed is not asked for', async () => {
    const { model, argsOf, state } = setUp();
    model.watch('r1');
    model.choose({ seed: 'seven' });
    await model.start();
    await model.next();
    expect(argsOf('policies.play')).toEqual([]);
    expect(state().choice.episode).toBe(0);
  });

  test('what is no seed ends no play that is under way', async () => {
    const { model, argsOf, state } = setUp();
    model.watch('r1');
    void model.start();
    model.choose({ seed: 'seven' });
    await model.start();
    expect(argsOf('policies.cancelPlay')).toEqual([]);
    expect(state().play.status).toBe('pending');
  });
});

test('readSeed', () => {
  expect(['', ' 7 ', '0', '-1', '1.5', 'x', '99999999999999999999'].map(readSeed)).toEqual([
    undefined,
    7,
    0,
    null,
    null,
    null,
    null,
  ]);
});
