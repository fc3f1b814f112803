import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLearner, ippoDefaults } from '../../../../src/engine/learn/index.ts';
import { playForFrames } from '../../../../src/engine/rpc/handlers/frames.ts';
import { createVecEnv, plainSpec } from '../../../../src/engine/sim/index.ts';
import { simulator } from '../../../../src/shared/contract/simulator.ts';
import { shapesOf } from '../../../../src/shared/rl/frame.ts';
import { unpackFrames } from '../../../../src/shared/rl/packed-frames.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const compileNothing = () => {
  throw new Error('no text was given');
};

async function frames(args: object) {
  const parsed = simulator.frames.args.parse({ scenario: 'simple_spread', ...args });
  const { cast, frames: packed } = await playForFrames(parsed, compileNothing);
  return { cast, frames: unpackFrames(packed) };
}

let onnx = new Uint8Array();

beforeAll(async () => {
  const numEnvs = 4;
  const env = createVecEnv(plainSpec('simple_spread'), { numEnvs, seed: 1n, firstEpisode: 0 });
  const config = { ...ippoDefaults, hidden: 8, numEnvs, numSteps: 8, minibatchSize: 32 };
  const learner = await createLearner({ env, config, seed: 1 });
  onnx = new Uint8Array((learner.policies()[0] as { onnx: Uint8Array }).onnx);
  await learner.dispose();
});

const policyFile = (): string => {
  const file = join(temporaryFolder(), 'agent.onnx');
  writeFileSync(file, onnx);
  return file;
};

describe('playForFrames', () => {
  test('a policy plays its group, the same every time and otherwise than at random', async () => {
    const file = policyFile();
    const { cast, frames: first } = await frames({ policies: [file], from: 0, to: 12, seed: 2 });
    expect(cast).toMatchObject({ scenario: 'simple_spread', numAgents: 3, teams: ['agent'] });
    expect(first).toHaveLength(13);
    expect((await frames({ policies: [file], from: 0, to: 12, seed: 2 })).frames).toEqual(first);
    const { frames: random } = await frames({ from: 0, to: 12, seed: 2 });
    expect(random[0]).toEqual(first[0]);
    expect(random[12]?.numbers).not.toEqual(first[12]?.numbers);
    const bodies = first.flatMap(shapesOf).filter(({ role }) => role === 'agent');
    expect(bodies.every(({ flags }) => !flags.includes('scripted'))).toBe(true);
  });

  test.each([
    ['two for one group', (file: string) => ({ policies: [file, file] }), 'input.invalid', /both play agent/],
    [
      'one for a group that is played',
      (file: string) => ({ policies: [file], play: { agent: 'greedy' } }),
      'input.invalid',
      /somebody else plays it/,
    ],
    [
      'one of another scenario',
      (file: string) => ({ policies: [file], scenario: 'simple' }),
      'policy.invalid',
      /plays agent of simple_spread; the groups of simple are: agent/,
    ],
    [
      'one for a group that is not there',
      (file: string) => ({ policies: [file], scenario: 'capture' }),
      'input.invalid',
      /plays agent of simple_spread; the groups of capture are: red, blue/,
    ],
    [
      'a file that is none',
      (_file: string) => ({ policies: ['/nowhere.onnx'] }),
      'policy.invalid',
      /nowhere\.onnx/,
    ],
  ])('%s is refused', async (_name, args, code, message) => {
    await expect(frames(args(policyFile()))).rejects.toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});
