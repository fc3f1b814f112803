import { expect, test } from 'vitest';
import { createLearner, ippoDefaults } from '../../../../src/engine/learn/index.ts';
import { createCueEnv } from '../../../support/cue-env.ts';

/**
 * What IPPO has always computed, after two iterations of seed 1 on cues with masks and two groups of unlike widths. CPU types
 * round differently, so numbers are held to five digits, which any other computation misses.
 */
const known: Readonly<Record<string, number>> = {
  'charts/episodic_return/low': 2.625,
  'charts/episodic_return/high': 1.796875,
  'losses/policy_loss/low': -0.009096788918583898,
  'losses/policy_loss/high': -0.020046285096593452,
  'losses/value_loss/low': 0.5129903592169285,
  'losses/value_loss/high': 0.4439977128058672,
  'losses/entropy/low': 0.6919039562344551,
  'losses/entropy/high': 1.0947451740503311,
  'losses/approx_kl/low': 0.00016192812893223163,
  'losses/approx_kl/high': 0.0007846332218264251,
  'losses/clipfrac/low': 0,
  'losses/clipfrac/high': 0,
  'losses/grad_norm/low': 0.6638102531433105,
  'losses/grad_norm/high': 0.5086296144872904,
  'losses/explained_variance/low': -0.053789985013517505,
  'losses/explained_variance/high': -0.00533804267008775,
};

test('IPPO gives the numbers it has always given', async () => {
  const groups = { low: { agents: 1, cues: 3 }, high: { agents: 2, cues: 4 } };
  const env = createCueEnv({ numEnvs: 32, groups, masks: true });
  const config = { ...ippoDefaults, hidden: 16, numEnvs: 32, numSteps: 12, minibatchSize: 200 };
  const learner = await createLearner({ env, config, seed: 1 });
  await learner.iterate();
  const { metrics } = await learner.iterate();
  await learner.dispose();
  const found = Object.fromEntries(metrics.map(({ key, value }) => [key, value]));
  for (const [key, value] of Object.entries(known)) {
    const tolerance = 1e-5 * Math.max(Math.abs(value), 0.01);
    expect(Math.abs((found[key] ?? Number.NaN) - value), `${key}: ${found[key]}`).toBeLessThan(tolerance);
  }
});
