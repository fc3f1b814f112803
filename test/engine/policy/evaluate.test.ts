import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLearner, ippoDefaults } from '../../../src/engine/learn/index.ts';
import {
  type Evaluation,
  evaluatePolicies,
  openPolicy,
  type Policy,
} from '../../../src/engine/policy/index.ts';
import type { VecEnv } from '../../../src/shared/rl/vec-env.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { type CueEnvOptions, createCueEnv } from '../../support/cue-env.ts';

const groups = { low: { agents: 1, cues: 2 }, high: { agents: 2, cues: 3 } };
const policies: Record<string, Policy> = {};

beforeAll(async () => {
  const config = {
    ...ippoDefaults,
    hidden: 16,
    numEnvs: 32,
    numSteps: 10,
    minibatchSize: 64,
    learningRate: 1e-5,
  };
  const learner = await createLearner({ env: createCueEnv({ numEnvs: 32, groups }), config, seed: 1 });
  // Barely trained, so that episodes differ.
  await learner.iterate();
  for (const { group, onnx } of learner.policies()) policies[group] = await openPolicy(onnx);
  await learner.dispose();
});

afterAll(async () => {
  for (const policy of Object.values(policies)) await policy.dispose();
});

function evaluate(options: Partial<Parameters<typeof evaluatePolicies>[0]> = {}): Promise<Evaluation> {
  const createEnv = (numEnvs: number): VecEnv => createCueEnv({ numEnvs, groups });
  return evaluatePolicies({ createEnv, policies, episodes: 50, seed: 3n, ...options });
}

describe('evaluatePolicies', () => {
  test('reports the same figures bit for bit for any number of copies', async () => {
    const [first, ...others] = await Promise.all(
      [1, 2, 7, 50, 64].map(async (numEnvs) => {
        const { steps, ...figures } = await evaluate({ numEnvs });
        expect(steps).toBeGreaterThanOrEqual(250);
        return figures;
      }),
    );
    for (const figures of others) expect(figures).toEqual(first);
  });

  test('reports per episode, per group and per agent, all consistent', async () => {
    const { groups: byGroup, agents, metrics, episodes } = await evaluate();
    const high = byGroup.high as NonNullable<typeof byGroup.high>;
    expect(episodes).toBe(50);
    expect(high.episodeReturn.values).toHaveLength(50);
    expect(high.episodeReturn.mean).toBeCloseTo(
      high.episodeReturn.values.reduce((sum, value) => sum + value, 0) / 50,
      12,
    );
    expect(high.components.hit?.values).toEqual(high.episodeReturn.values);
    const two = ((agents.high_0?.episodeReturn ?? 0) + (agents.high_1?.episodeReturn ?? 0)) / 2;
    expect(high.episodeReturn.mean).toBeCloseTo(two, 12);
    const all = ['low_0', 'high_0', 'high_1'].map((name) => agents[name]?.metrics.accuracy ?? 0);
    expect(metrics.accuracy?.mean).toBeCloseTo(all.reduce((a, b) => a + b) / 3, 12);
  });

  test('tells what each group that learns chose', async () => {
    const { actionShares } = await evaluate();
    expect(Object.keys(actionShares)).toEqual(['low', 'high']);
    for (const shares of Object.values(actionShares))
      expect(Object.values(shares).reduce((a, b) => a + b)).toBeCloseTo(1, 12);
  });

  test('plays other episodes under another seed', async () => {
    const [a, b] = [await evaluate({ seed: 3n }), await evaluate({ seed: 4n })];
    expect(a.groups.high?.episodeReturn.values).not.toEqual(b.groups.high?.episodeReturn.values);
  });

  test('needs no policy for a scripted group', async () => {
    const createEnv = (numEnvs: number): VecEnv =>
      createCueEnv({ numEnvs, groups, scripted: { low: 'silent' } });
    const { groups: byGroup } = await evaluate({ createEnv, policies: { high: policies.high as Policy } });
    expect(byGroup.high?.episodeReturn.mean).toBeGreaterThan(0);
  });

  test.each<[string, Omit<CueEnvOptions, 'numEnvs'>, readonly string[], RegExp]>([
    ['a missing policy', { groups }, ['high'], /No policy is given for group "low"/],
    [
      'a policy of another width',
      { groups: { low: { agents: 1, cues: 5 } } },
      ['low'],
      /2 observations.*of cues with 5/,
    ],
  ])('refuses %s', async (_, env, names, message) => {
    const disposed: number[] = [];
    const createEnv = (numEnvs: number): VecEnv =>
      Object.assign(createCueEnv({ numEnvs, ...env }), { dispose: () => disposed.push(1) });
    const given = Object.fromEntries(names.map((name) => [name, policies[name] as Policy]));
    const thrown = await evaluate({ createEnv, policies: given }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(AppError);
    expect(thrown).toMatchObject({ code: 'policy.invalid', data: { reason: 'space' } });
    expect((thrown as AppError).message).toMatch(message);
    expect(disposed).toEqual([1]);
  });

  test('stops when aborted and disposes the copies', async () => {
    const signal = AbortSignal.abort();
    await expect(evaluate({ signal })).rejects.toMatchObject({ code: 'run.cancelled' });
  });
});
