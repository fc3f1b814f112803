import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { WatchView } from '../../../../src/renderer/panels/watch/use-watch.ts';
import { WatchBody } from '../../../../src/renderer/panels/watch/watch-panel.tsx';
import { failed, pending, ready } from '../../../../src/renderer/state/loadable.ts';
import { createWatchModel } from '../../../../src/renderer/state/watch-model.ts';
import { AppError } from '../../../../src/shared/std/app-error.ts';
import { createFakeClient } from '../../support/fake-client.ts';

const playable = {
  runId: 'r1',
  policies: [{ round: 0, groups: ['agent'], chargedSteps: 10, objective: -3 }],
  training: [{ from: 0, to: 0 }],
  objective: 'simple_spread',
};
const model = createWatchModel(createFakeClient({}).client, 'w');

const show = (change: Partial<WatchView> = {}): string => {
  const view: WatchView = {
    ...model.store.getState(),
    runId: 'r1',
    playable: ready(playable),
    studies: [],
    studyName: '',
    isSeedSound: true,
    model,
    ...change,
  };
  return renderToStaticMarkup(createElement(WatchBody, { view }));
};

const buttons = (html: string) =>
  [...html.matchAll(/<button([^>]*)>.*?<\/button>/g)].map(([button, attributes = '']) => ({
    label: button.replaceAll(/<[^>]+>/g, ''),
    isDisabled: attributes.includes('disabled'),
  }));

describe('WatchBody', () => {
  test('a run that has no policy yet says when it will have one', () => {
    expect(show({ playable: ready({ ...playable, policies: [] }) })).toContain('when a round ends');
  });

  test('offers what there is, and plays it', () => {
    const html = show();
    for (const choice of ['latest: round 1', 'objective: simple_spread', 'training, in force (round 1)'])
      expect(html).toContain(choice);
    expect(buttons(html)).toEqual([
      { label: 'Play the episode', isDisabled: false },
      { label: 'Next episode', isDisabled: false },
      { label: 'Cancel', isDisabled: true },
    ]);
  });

  test('while it plays it can be cancelled', () => {
    const html = show({ play: pending });
    expect(buttons(html)).toEqual([
      { label: 'Play the episode', isDisabled: true },
      { label: 'Next episode', isDisabled: true },
      { label: 'Cancel', isDisabled: false },
    ]);
    expect(html).toContain('role="status"');
  });

  test('Enter in a field plays: the first button submits the form', () => {
    const [play, ...others] = [...show().matchAll(/<button type="(\w+)"/g)].map(([, type]) => type);
    expect([play, new Set(others)]).toEqual(['submit', new Set(['button'])]);
  });

  test('no button is taken from under the keyboard when it is pressed, or when the play ends', () => {
    for (const play of [pending, { status: 'idle' as const }])
      expect(show({ play })).not.toMatch(/<button[^>]* disabled=/);
  });

  test('what is no seed cannot be played, and says so', () => {
    const html = show({ isSeedSound: false });
    expect(buttons(html).every(({ isDisabled }) => isDisabled)).toBe(true);
    expect(html).toContain('A seed is a whole number');
    expect(html).toContain('aria-invalid="true"');
  });

  test('why it cannot be played is told, with a way to try again', () => {
    const error = failed(new AppError('input.invalid', 'round 2 means something else in this version'));
    const html = show({ play: error });
    expect(html).toContain('round 2 means something else');
    expect(buttons(html).map(({ label }) => label)).toContain('Try again');
  });
});
