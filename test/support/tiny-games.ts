import type { TinyGame } from './tiny-game.ts';

const oneHot = (size: number, index: number): number[] =>
  Array.from({ length: size }, (_, i) => Number(i === index));

/**
 * Two agents, two steps: the first agent's first action chooses between a matrix that pays 7 whatever is done and one that pays
 * 0, 1, 1 or 8. A sum of two values cannot hold the second: its best guess of 8 is below 7.
 * Source: Rashid et al. 2018, section 5.
 */
export const twoStepGame: TinyGame = {
  name: 'two_step',
  groups: [{ name: 'agent', agents: 2, obsDim: 3, numActions: 2 }],
  stateDim: 3,
  stateWords: 1,
  length: 2,
  begin: () => [0],
  view: ([place = 0]) => ({ obs: [oneHot(3, place), oneHot(3, place)], state: oneHot(3, place) }),
  act: ([place = 0], [first = 0, second = 0]) => {
    if (place === 0) return { next: [1 + first], rewards: [0, 0] };
    const pay = place === 1 ? 7 : [0, 1, 1, 8][2 * first + second];
    return { next: [0], rewards: [pay as number, pay as number], terminated: true };
  },
};

/** One agent sees a cue at the beginning and is paid for naming it at the end, two steps later. */
export const memoryGame: TinyGame = {
  name: 'memory',
  groups: [{ name: 'agent', agents: 1, obsDim: 3, numActions: 2 }],
  stateDim: 1,
  stateWords: 2,
  length: 3,
  begin: (rng) => [0, rng.nextBelow(2)],
  view: ([step = 0, cue = 0]) => ({
    obs: [step === 0 ? [1 - cue, cue, 0] : [0, 0, step / 2]],
    state: [step],
  }),
  act: ([step = 0, cue = 0], [answer]) => ({
    next: [step + 1, cue],
    rewards: [step === 2 && answer === cue ? 1 : 0],
    terminated: step === 2,
  }),
};

/**
 * Two groups of different shapes; the last agent dies after the first step, sees zeros and may only take action 0. Everybody is
 * paid the number of living agents whose action is 1.
 */
export const mortalGame: TinyGame = {
  name: 'mortal',
  groups: [
    { name: 'scout', agents: 1, obsDim: 2, numActions: 2 },
    { name: 'guard', agents: 2, obsDim: 3, numActions: 3 },
  ],
  stateDim: 2,
  stateWords: 1,
  length: 4,
  begin: () => [0],
  view: ([step = 0]) => ({
    obs: [[1, step], [1, 0, step], step > 0 ? [0, 0, 0] : [0, 1, step]],
    state: [1, step],
    legal: [[1, 1], [1, 1, 0], step > 0 ? [1, 0, 0] : [1, 1, 1]],
    active: [1, 1, Number(step === 0)],
  }),
  act: ([step = 0], actions) => {
    const pay = actions.filter((action) => action === 1).length;
    return { next: [step + 1], rewards: [pay, pay, pay] };
  },
};
