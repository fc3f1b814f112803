import { afterEach, describe, expect, test } from 'vitest';
import { ValueTeam } from '../../../../../src/engine/learn/algos/value/value-team.ts';
import { sumMixer } from '../../../../../src/engine/learn/nn/mixer.ts';
import { vdnDefaults } from '../../../../../src/engine/learn/presets/value-presets.ts';
import type { ValueConfig } from '../../../../../src/shared/rl/learner.ts';
import { TinyEnv } from '../../../../support/tiny-game.ts';
import { mortalGame } from '../../../../support/tiny-games.ts';

const teams: ValueTeam[] = [];
afterEach(async () => {
  for (const team of teams.splice(0)) await team.dispose();
});

async function create(settings: Partial<ValueConfig>): Promise<ValueTeam> {
  const config = { ...vdnDefaults, hidden: 4, numEnvs: 2, batchEpisodes: 2, learningStarts: 2, ...settings };
  const team = await ValueTeam.create({ env: new TinyEnv(mortalGame, 2), config, seed: 1 }, () => sumMixer);
  teams.push(team);
  return team;
}

/** Plays until every copy has ended `count` episodes more, of four steps each. */
async function play(team: ValueTeam, count: number): Promise<number> {
  let finished = 0;
  for (let t = 0; t < 4 * count; t++) finished += await team.play();
  return finished;
}

const isSame = (team: ValueTeam): boolean => team.target.every((x, i) => x === team.vectors.parameters[i]);

describe('target networks', () => {
  test('are copied every so many finished episodes, at a gradient step', async () => {
    const team = await create({ targetNetworkFrequency: 5, targetUnit: 'episodes', updatesPerEpisode: 1 });
    const copied: boolean[] = [];
    for (let round = 0; round < 4; round++) {
      team.takeDue(await play(team, 1));
      await team.update(1e-2);
      copied.push(isSame(team));
    }
    // 2, 4, 6 and, counted anew, 2 episodes.
    expect(copied).toEqual([false, false, true, false]);
  });

  test('are copied every so many gradient steps', async () => {
    const team = await create({ targetNetworkFrequency: 3, targetUnit: 'updates' });
    await play(team, 1);
    const copied: boolean[] = [];
    for (let step = 0; step < 7; step++) {
      await team.update(1e-2);
      copied.push(isSame(team));
    }
    expect(copied).toEqual([false, false, true, false, false, true, false]);
  });

  test('follow by a share of the difference', async () => {
    const team = await create({ targetNetworkFrequency: 0, tau: 0.25 });
    await play(team, 1);
    const before = team.target.slice();
    await team.update(1e-2);
    for (const [i, value] of team.target.entries()) {
      const expected = 0.75 * (before[i] as number) + 0.25 * (team.vectors.parameters[i] as number);
      expect(value).toBeCloseTo(expected, 6);
    }
  });
});

describe('the replay', () => {
  test('gets every finished episode, and the next one is never one that was begun', async () => {
    const team = await create({ bufferEpisodes: 5 });
    expect(await play(team, 3)).toBe(6);
    expect(team.replay.ordered().map(({ index, seed }) => [index, seed])).toEqual(
      [1, 2, 3, 4, 5].map((i) => [i, 1n]),
    );
    // Episodes 6 and 7 are being played.
    expect(team.counters.nextEpisode).toBe(8);
  });

  test('waits with gradient steps until it holds enough', async () => {
    const team = await create({ learningStarts: 5, updatesPerEpisode: 1 });
    expect(team.takeDue(await play(team, 2))).toBe(0);
    expect(team.takeDue(await play(team, 1))).toBe(2);
  });
});

describe('epsilon', () => {
  test('falls with env-steps of all copies', async () => {
    const team = await create({ startE: 0.9, endE: 0.1, explorationSteps: 32 });
    const seen = [team.epsilon];
    for (let i = 0; i < 3; i++) {
      await play(team, 2);
      seen.push(team.epsilon);
    }
    expect(seen).toEqual([0.9, 0.5, 0.1, 0.1].map((share) => expect.closeTo(share, 12)));
  });
});
