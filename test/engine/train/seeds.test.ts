import { describe, expect, test } from 'vitest';
import type { TrainerDependencies } from '../../../src/engine/train/dependencies.ts';
import { learnerSeed, streamSeed, trialStreamSeed } from '../../../src/engine/train/seeds.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { toyDependencies } from '../../support/toy/toy-learner.ts';
import { SessionProbe, toyInit } from '../../support/toy/toy-session.ts';

test('the batch of a learner is created with the seed that the learner starts it from', async () => {
  const ofBatches = new Set<bigint>();
  const ofLearners: number[] = [];
  const createVecEnv: TrainerDependencies['createVecEnv'] = (spec, options) => {
    ofBatches.add(options.seed);
    return toyDependencies.createVecEnv(spec, options);
  };
  const createLearner: TrainerDependencies['createLearner'] = (options) => {
    ofLearners.push(options.seed);
    return toyDependencies.createLearner(options);
  };
  const probe = new SessionProbe({ createVecEnv, createLearner });
  const init = toyInit(temporaryFolder());
  await probe.init(init);
  await probe.train(0, 100);
  expect(ofLearners).toEqual([learnerSeed(init.seed, 'train')]);
  expect(ofBatches).toEqual(new Set([...ofLearners.map(BigInt), streamSeed(init.seed, 'objective')]));
});

test('the branches of a trial are scored on the same episodes, those of another trial on others', async () => {
  const scored: bigint[] = [];
  const evaluate: TrainerDependencies['evaluate'] = (options) => {
    scored.push(options.seed);
    return toyDependencies.evaluate(options);
  };
  const probe = new SessionProbe({ evaluate });
  const { seed } = toyInit(temporaryFolder());
  await probe.init(toyInit(temporaryFolder()));
  await probe.train(0, 100);
  scored.length = 0;
  await probe.trial([0, 0.5], 1);
  await probe.trial([0, 0.5], 2);
  const [one, two] = [1, 2].map((trialSeed) => trialStreamSeed(seed, trialSeed));
  expect(scored).toEqual([one, one, two, two]);
});

describe('seeds of one run', () => {
  test('stay what they are: numbers of earlier studies can be had again', () => {
    expect(streamSeed(1, 'objective')).toBe(11_679_558_113_552_070_437n);
    expect(learnerSeed(1, 'train')).toBe(19_761_480);
  });

  test('differ by what they are for, and by the run', () => {
    const seeds = [1, 2].flatMap((seed) => [
      streamSeed(seed, 'objective'),
      trialStreamSeed(seed, 5),
      trialStreamSeed(seed, 6),
      BigInt(learnerSeed(seed, 'train')),
      BigInt(learnerSeed(seed, 'trial')),
    ]);
    expect(new Set(seeds).size).toBe(10);
  });
});
