import { afterEach, describe, expect, test } from 'vitest';
import { createLearner, learnerCatalogue } from '../../../../src/engine/learn/index.ts';
import { evaluatePolicies, openPolicy, type Policy } from '../../../../src/engine/policy/index.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import type { Learner, ValueConfig } from '../../../../src/shared/rl/learner.ts';
import type { EnvironmentSpec, VecEnv } from '../../../../src/shared/rl/vec-env.ts';
import { shortSpec } from '../../../support/short-spec.ts';

/** The learners over the real simulator and its playback: groups of unlike widths, masks, deaths, snapshots. */
const small = {
  hidden: 8,
  numEnvs: 4,
  numSteps: 13,
  batchEpisodes: 2,
  learningStarts: 2,
  bufferEpisodes: 6,
  updatesPerEpisode: 0.5,
  explorationSteps: 60,
  mixingEmbed: 4,
  hypernetEmbed: 4,
} as const;
const learned: readonly [string, ValueConfig][] = (['vdn', 'qmix'] as const).map((algorithm) => [
  algorithm,
  { ...learnerCatalogue.defaults[algorithm], ...small } as ValueConfig,
]);

const open: { learner: Learner; env: VecEnv }[] = [];
afterEach(async () => {
  for (const { learner, env } of open.splice(0)) {
    await learner.dispose();
    env.dispose();
  }
});

async function create(spec: EnvironmentSpec, config: ValueConfig, seed: number): Promise<Learner> {
  const env = createVecEnv(spec, {
    numEnvs: config.numEnvs,
    seed: BigInt(seed),
    firstEpisode: 0,
    gamma: config.gamma,
  });
  const learner = await createLearner({ env, config, seed });
  open.push({ learner, env });
  return learner;
}

describe.each(learned)('%s', (_, config) => {
  test.each([true, false])(
    'continues bit for bit from a checkpoint taken inside battles, relabel %s',
    async (relabel) => {
      const settings = { ...config, relabel };
      const spec = { ...shortSpec('skirmish'), scripted: { enemy: 'closest' } };
      const whole = await create(spec, settings, 1);
      for (let i = 0; i < 4; i++) await whole.iterate();
      const bytes = whole.serialize();
      const expected = [await whole.iterate(), await whole.iterate(), await whole.iterate()];
      const resumed = await create(spec, settings, 2);
      resumed.restore(bytes);
      expect([await resumed.iterate(), await resumed.iterate(), await resumed.iterate()]).toEqual(expected);
      expect(resumed.serialize()).toEqual(whole.serialize());
    },
  );

  test.each([
    ['foraging', { 'field.rows': 8, 'field.columns': 8 }, { 'field.rows': 4, 'field.columns': 8 }],
    ['capture', {}, { 'field.width': 70 }],
  ])('goes on in a smaller field of %s with what has a place in it', async (scenario, wide, narrow) => {
    const spec = shortSpec(scenario);
    const inField = (parameters: Record<string, number>): EnvironmentSpec => ({
      ...spec,
      parameters: { ...spec.parameters, ...parameters },
    });
    const settings = { ...config, bufferEpisodes: 40, evictShare: 0 };
    const learner = await create(inField(wide), settings, 1);
    for (let i = 0; i < 8; i++) await learner.iterate();
    const env = createVecEnv(inField(narrow), { numEnvs: 4, seed: 1n, firstEpisode: 0 });
    learner.setEnvironment(env);
    const kept: number[] = [];
    for (let i = 0; i < 3; i++) {
      const { metrics } = await learner.iterate();
      kept.push(metrics.find(({ key }) => key === 'charts/replay_episodes')?.value as number);
    }
    env.dispose();
    expect(kept[0]).toBeLessThan(30);
    expect(kept[2]).toBeGreaterThan(kept[0] as number);
  });

  test('exports a policy per group that plays the same for any number of copies', async () => {
    const spec = shortSpec('simple_speaker_listener');
    const learner = await create(spec, config, 3);
    for (let i = 0; i < 3; i++) await learner.iterate();
    const policies: Record<string, Policy> = {};
    for (const { group, onnx } of learner.policies()) policies[group] = await openPolicy(onnx);
    expect(Object.keys(policies)).toEqual(['speaker', 'listener']);
    const evaluate = async (numEnvs: number) => {
      const { groups } = await evaluatePolicies({
        createEnv: (count) => createVecEnv(spec, { numEnvs: count, seed: 7n, firstEpisode: 0 }),
        policies,
        episodes: 20,
        seed: 7n,
        numEnvs,
      });
      return groups;
    };
    expect(await evaluate(3)).toEqual(await evaluate(20));
    for (const policy of Object.values(policies)) await policy.dispose();
  });
});
