import { describe, expect, test } from 'vitest';
import { PolicyPlayer } from '../../../src/engine/policy/index.ts';
import type { Policy } from '../../../src/engine/policy/types.ts';
import type { PolicyMetadata } from '../../../src/shared/rl/policy-metadata.ts';
import { createCueEnv } from '../../support/cue-env.ts';

const groups = { scout: { agents: 1, cues: 2 }, guard: { agents: 2, cues: 2 } };

/** A policy that notes what it is shown, plays action 1 always and counts in its memory. */
function notingPolicy(metadata: Partial<PolicyMetadata>, seen: number[][]): Policy {
  return {
    metadata: {
      scenario: 'cues',
      scenarioVersion: 1,
      obsDim: 2,
      numActions: 2,
      numAgents: 2,
      extras: [],
      hiddenDim: 0,
      ...metadata,
    } as PolicyMetadata,
    actGreedy: async ({ rows, obs, hidden }, actions) => {
      const width = obs.length / rows;
      for (let i = 0; i < rows; i++) {
        seen.push([
          ...obs.subarray(i * width + 2, (i + 1) * width),
          ...(hidden ? [hidden[i] as number] : []),
        ]);
        if (hidden) hidden[i] = (hidden[i] as number) + 1;
      }
      actions.fill(1, 0, rows);
    },
    dispose: async () => undefined,
  };
}

/** What the policy of the guards sees beside the observation in each of four steps of episodes of three. */
async function watch(metadata: Partial<PolicyMetadata>): Promise<number[][][]> {
  const env = createCueEnv({ numEnvs: 1, groups, length: 3 });
  const guard = env.manifest.groups.find(
    ({ name }) => name === 'guard',
  ) as (typeof env.manifest.groups)[number];
  const seen: number[][] = [];
  const player = new PolicyPlayer(env, guard, notingPolicy(metadata, seen));
  const actions = new Int32Array(3);
  for (let t = 0; t < 4; t++) {
    await player.act(actions);
    expect(Array.from(actions)).toEqual([0, 1, 1]);
    env.step(actions);
    player.endStep();
  }
  return Array.from({ length: 4 }, (_, t) => seen.slice(2 * t, 2 * t + 2));
}

describe('PolicyPlayer', () => {
  test('appends last action and agent in the order that the policy says', async () => {
    const fresh = [
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ];
    const later = [
      [0, 1, 1, 0],
      [0, 1, 0, 1],
    ];
    expect(await watch({ extras: ['lastAction', 'agentId'] })).toEqual([fresh, later, later, fresh]);
    const [first, second] = await watch({ extras: ['agentId', 'lastAction'] });
    expect([first, second]).toEqual([
      [
        [1, 0, 0, 0],
        [0, 1, 0, 0],
      ],
      [
        [1, 0, 0, 1],
        [0, 1, 0, 1],
      ],
    ]);
  });

  test('keeps memory within an episode and forgets it at the end', async () => {
    expect(await watch({ hiddenDim: 1 })).toEqual([0, 1, 2, 0].map((count) => [[count], [count]]));
  });

  test('refuses a policy that tells another number of agents apart', () => {
    const env = createCueEnv({ numEnvs: 1, groups });
    const [scout] = env.manifest.groups as [(typeof env.manifest.groups)[number]];
    expect(() => new PolicyPlayer(env, scout, notingPolicy({ extras: ['agentId'] }, []))).toThrow(
      /tells 2 agents apart; group "scout" has 1/,
    );
  });

  test('refuses a policy of another version of the scenario', () => {
    const env = createCueEnv({ numEnvs: 1, groups });
    const [scout] = env.manifest.groups as [(typeof env.manifest.groups)[number]];
    expect(() => new PolicyPlayer(env, scout, notingPolicy({ scenarioVersion: 3 }, []))).toThrow(
      expect.objectContaining({
        code: 'policy.invalid',
        data: { reason: 'space' },
        message: expect.stringContaining('trained for version 3 of cues, which is at version 1'),
      }),
    );
  });
});
