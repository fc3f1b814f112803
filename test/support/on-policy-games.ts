import type { TinyGame } from './tiny-game.ts';

/**
 * Two agents see a cue each and are paid for naming it, and a sum that luck decides and only the state shows: a critic that
 * sees the state can tell good luck from a good action, one that sees observations cannot.
 */
export const luckGame: TinyGame = {
  name: 'luck',
  groups: [{ name: 'agent', agents: 2, obsDim: 2, numActions: 2 }],
  stateDim: 3,
  stateWords: 3,
  length: 1,
  begin: (rng) => [rng.nextBelow(2), rng.nextBelow(2), rng.nextBelow(2)],
  view: ([luck = 0, first = 0, second = 0]) => ({
    obs: [first, second].map((cue) => [1 - cue, cue]),
    state: [luck, first, second],
  }),
  act: ([luck = 0, ...cues], actions) => ({
    next: [luck, ...cues],
    rewards: cues.map((cue, a) => Number(actions[a] === cue) + 4 * luck),
    terminated: true,
  }),
};

/**
 * A cue at the first step decides what every step pays, 0 or 1, for ever; time runs out after three. Whoever remembers the
 * cue knows what would have followed.
 */
export const annuityGame: TinyGame = {
  name: 'annuity',
  groups: [{ name: 'agent', agents: 1, obsDim: 3, numActions: 2 }],
  stateDim: 3,
  stateWords: 2,
  length: 3,
  begin: (rng) => [0, rng.nextBelow(2)],
  view: ([step = 0, cue = 0]) => {
    const seen = step === 0 ? [1 - cue, cue, 0] : [0, 0, 1];
    return { obs: [seen], state: seen };
  },
  act: ([step = 0, cue = 0]) => ({ next: [step + 1, cue], rewards: [cue] }),
};
