import { describe, expect, test } from 'vitest';
import { openPlay } from '../../../../src/renderer/panels/watch/opened-play.ts';
import {
  chooseEnvironment,
  endingWords,
  environmentOptions,
  environmentValue,
  playTitle,
  policyOptions,
  stepLines,
} from '../../../../src/renderer/panels/watch/watch-words.ts';
import type { PlayableView } from '../../../../src/shared/contract/policies.ts';
import { makePlay } from '../../support/fixtures.ts';

const playable: PlayableView = {
  runId: 'r1',
  policies: [
    { round: 4, groups: ['agent'], chargedSteps: 500, objective: -19.066 },
    { round: 3, groups: ['agent'], chargedSteps: 400, objective: null },
  ],
  training: [
    { from: 0, to: 0 },
    { from: 1, to: 3 },
    { from: 4, to: 4 },
  ],
  objective: 'environments/spread-eval.edl',
};

describe('what can be chosen', () => {
  test('policies by the round they were exported after, the latest on top', () => {
    expect(policyOptions(playable).map(({ value, label }) => [value, label])).toEqual([
      ['', 'latest: round 5'],
      ['4', 'round 5, objective −19.07'],
      ['3', 'round 4'],
    ]);
    expect(policyOptions({ ...playable, policies: [] })).toEqual([]);
  });

  test("the objective's environment, what trains now, and what trained before, each chosen as it is shown", () => {
    const options = environmentOptions(playable);
    expect(options.map(({ label }) => label)).toEqual([
      'objective: environments/spread-eval.edl',
      'training, in force (round 5)',
      'training, rounds 2 to 4',
      'training, round 1',
    ]);
    const choice = { round: null, seed: '', episode: 0 };
    for (const { value } of options)
      expect(environmentValue({ ...choice, ...chooseEnvironment(value) })).toBe(value);
    expect(chooseEnvironment('training 1')).toEqual({ environment: 'training', trainedIn: 1 });
  });
});

describe('what is told of an episode', () => {
  test('whose it is, and how it ended', () => {
    const play = makePlay();
    expect(playTitle(play)).toBe("Policy of round 4 in the objective's environment");
    const environment = { kind: 'training' as const, round: 1, identity: 'e' };
    expect(playTitle({ ...play, environment })).toBe(
      'Policy of round 4 in the training environment of round 2',
    );
    expect(endingWords(play)).toBe('Its time was up after 2 steps.');
    expect(endingWords({ ...play, ending: 'trapped' })).toContain('undefined value');
  });

  test('of each step what was done, fired and paid, and the pay before it', () => {
    const play = openPlay(makePlay());
    expect(stepLines(play, 1)).toEqual([
      'step 2: red_0 left, blue_0 right',
      'reward near ×1; paid: base −2, near 1',
      'paid before: base −1',
    ]);
    expect(stepLines(play, 0)[2]).toBe('paid before: nothing');
    expect(stepLines(play, 2)).toEqual(['Its time was up after 2 steps.', 'paid before: base −3, near 1']);
  });

  test('what built-in policies do is not told', () => {
    const play = openPlay(makePlay());
    const steps = play.steps.map((step) => ({ ...step, actions: ['', 'right'] }));
    expect(stepLines({ ...play, steps }, 0)[0]).toBe('step 1: blue_0 right');
  });

  test('of a crowd only some', () => {
    const play = openPlay(makePlay());
    const actions = Array(30).fill('left');
    const crowd = {
      ...play,
      agents: actions.map((_, i) => `a${i}`),
      steps: play.steps.map((step) => ({ ...step, actions })),
    };
    expect(stepLines(crowd, 0)[0]).toMatch(/^step 1: a0 left, .*, a11 left and 18 more$/);
  });
});
