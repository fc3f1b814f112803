import { describe, expect, test } from 'vitest';
import { RolloutBuffer } from '../../../../src/engine/learn/data/rollout-buffer.ts';
import { createCueEnv } from '../../../support/cue-env.ts';

describe('RolloutBuffer.observe', () => {
  test("takes a group's own rows and widths out of a batch of unlike groups", () => {
    const env = createCueEnv({
      numEnvs: 2,
      groups: { wide: { agents: 1, cues: 4 }, narrow: { agents: 2, cues: 2 } },
    });
    for (let i = 0; i < env.obs.length; i++) (env.obs as Float32Array)[i] = i;
    const buffer = new RolloutBuffer({ firstAgent: 1, numAgents: 2, obsDim: 2, numActions: 2 }, 2, 3);
    const logitBias = new Float32Array(8);
    buffer.observe(env, 1, logitBias);
    // Rows of four numbers: wide_0, narrow_0, narrow_1 of copy 0 start at 0, 4, 8; those of copy 1 at 12, 16, 20.
    expect(Array.from(buffer.obsOf(1))).toEqual([4, 5, 1, 8, 9, 1, 16, 17, 1, 20, 21, 1]);
    expect(Array.from(logitBias)).toEqual(Array(8).fill(0));
    expect(buffer.hasIllegal).toBe(false);
  });

  test('turns masks into added logits in columns', () => {
    const env = createCueEnv({ numEnvs: 2 });
    env.availActions.set([1, 0, 1, 1, 1, 1]);
    const buffer = new RolloutBuffer({ firstAgent: 0, numAgents: 1, obsDim: 3, numActions: 3 }, 2, 1);
    const logitBias = new Float32Array(6);
    buffer.observe(env, 0, logitBias);
    expect(Array.from(logitBias)).toEqual([0, 0, -1e9, 0, 0, 0]);
    expect(buffer.hasIllegal).toBe(true);
  });
});
