import { describe, expect, test } from 'vitest';
import { ActionCounts } from '../../../src/engine/policy/action-counts.ts';
import { createCueEnv } from '../../support/cue-env.ts';

/** Two copies of a world with one agent in `low` and two in `high`. */
function world() {
  const env = createCueEnv({
    numEnvs: 2,
    groups: { low: { agents: 1, cues: 2 }, high: { agents: 2, cues: 3 } },
  });
  env.reset(1n, 0);
  const group = env.manifest.groups.find(({ name }) => name === 'high');
  if (group === undefined) throw new Error('no group high');
  return { env, group, counts: new ActionCounts(env, group) };
}

/** Actions of both copies: the first agent is of the other group. */
const actions = (first: readonly number[], second: readonly number[]): Int32Array =>
  Int32Array.of(0, ...first, 1, ...second);

describe('ActionCounts', () => {
  test('counts the actions of its group alone, in episodes that count', () => {
    const { group, counts } = world();
    counts.add(actions([0, 1], [2, 2]));
    counts.add(actions([1, 1], [2, 2]));
    counts.end(0, true);
    counts.end(1, false);
    const [a, b, c] = group.actionNames as [string, string, string];
    expect(counts.shares()).toEqual({ [a]: 0.25, [b]: 0.75, [c]: 0 });
  });

  test('an episode that is not over counts nothing, and a new one begins at nothing', () => {
    const { counts } = world();
    counts.add(actions([0, 0], [0, 0]));
    expect(counts.shares()).toEqual({});
    counts.end(0, false);
    counts.end(0, true);
    expect(counts.shares()).toEqual({});
  });

  test('an agent that cannot act chooses nothing', () => {
    const { env, group, counts } = world();
    env.active[group.firstAgent] = 0;
    counts.add(actions([0, 1], [2, 2]));
    counts.end(0, true);
    expect(counts.shares()[group.actionNames[1] ?? '']).toBe(1);
  });
});
