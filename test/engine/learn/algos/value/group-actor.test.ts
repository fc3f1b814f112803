import { afterEach, describe, expect, test } from 'vitest';
import { GroupActor } from '../../../../../src/engine/learn/algos/value/group-actor.ts';
import { valueNetwork } from '../../../../../src/engine/learn/algos/value/value-network.ts';
import { sumMixer } from '../../../../../src/engine/learn/nn/mixer.ts';
import { vdnDefaults } from '../../../../../src/engine/learn/presets/value-presets.ts';
import { CounterRng } from '../../../../../src/shared/std/rng.ts';
import { TinyEnv } from '../../../../support/tiny-game.ts';
import { mortalGame } from '../../../../support/tiny-games.ts';

const numEnvs = 4;
const actors: GroupActor[] = [];
afterEach(async () => {
  for (const actor of actors.splice(0)) await actor.dispose();
});

/** Guards of the mortal game: the second has three legal actions at first, then is dead; the first has two of three. */
async function create(bias: readonly number[] = [0, 0, 0]) {
  const env = new TinyEnv(mortalGame, numEnvs);
  const net = valueNetwork(env, { ...vdnDefaults, hidden: 4 }, () => sumMixer);
  const group = net.groups.find(({ name }) => name === 'guard');
  if (group === undefined) throw new Error('no guards');
  const actor = await GroupActor.create(net, group, numEnvs);
  actors.push(actor);
  const parameters = net.layout.initialise(new CounterRng(1n, 0)).map((value) => value / 100);
  net.layout.block(parameters, 'guard.head.bias').set(bias);
  const actions = new Int32Array(numEnvs * 3);
  const rng = new CounterRng(2n, 0);
  const act = async (epsilon: number): Promise<number[]> => {
    await actor.act(env, parameters, epsilon, rng, actions);
    env.step(actions);
    actor.endEpisodes(env);
    return [...actions];
  };
  return { actor, act, env };
}

describe('GroupActor', () => {
  test('takes the best legal action, and leaves other groups alone', async () => {
    const { act } = await create([0, 1, 2]);
    // Action 2 is worth most; only the second guard may take it, as long as it lives. The scout is not of this group.
    expect(await act(0)).toEqual(Array(numEnvs).fill([0, 1, 2]).flat());
    expect(await act(0)).toEqual(Array(numEnvs).fill([0, 1, 0]).flat());
  });

  test('explores evenly among legal actions (seed 2)', async () => {
    const { act, env } = await create([9, 0, 0]);
    const counts = [0, 0, 0];
    for (let i = 0; i < 750; i++) {
      env.reset(1n, 0);
      const taken = await act(1);
      for (let e = 0; e < numEnvs; e++) {
        expect(taken[3 * e + 1]).toBeLessThan(2);
        counts[taken[3 * e + 2] as number] = (counts[taken[3 * e + 2] as number] as number) + 1;
      }
    }
    // 3,000 draws among three: 1,000 each, standard deviation 26.
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(110);
  });

  test('explores as often as it is told (seed 2)', async () => {
    const { act, env } = await create([9, 0, 0]);
    let others = 0;
    for (let i = 0; i < 1500; i++) {
      env.reset(1n, 0);
      const taken = await act(0.3);
      for (let e = 0; e < numEnvs; e++) others += Number(taken[3 * e + 2] !== 0);
    }
    // Of 6,000, 30 % explore and two thirds of these take another action: 1,200, standard deviation 31.
    expect(Math.abs(others - 1200)).toBeLessThan(130);
  });

  test('remembers within an episode and forgets at its end', async () => {
    const { actor, act } = await create();
    await act(0);
    expect([...actor.lastActions].every((action) => action >= 0)).toBe(true);
    expect(actor.hidden.some((value) => value !== 0)).toBe(true);
    for (let t = 1; t < 4; t++) await act(0);
    // Episodes have four steps.
    expect([...actor.lastActions]).toEqual(Array(2 * numEnvs).fill(-1));
    expect(actor.hidden.every((value) => value === 0)).toBe(true);
  });
});
