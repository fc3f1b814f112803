import type { Learner, LearnerConfig } from '../../shared/rl/learner.ts';
import type { VecEnv } from '../../shared/rl/vec-env.ts';
import { createIppo } from './algos/ippo.ts';
import { createMappo } from './algos/mappo.ts';
import { createPpo } from './algos/ppo.ts';
import { createQmix } from './algos/qmix.ts';
import { createVdn } from './algos/vdn.ts';
import { requireLearnable } from './check-learner.ts';

export interface LearnerOptions<Config extends LearnerConfig = LearnerConfig> {
  /** Copies to learn in: config.numEnvs of them. They are reset here; the caller disposes them. */
  readonly env: VecEnv;
  readonly config: Config;
  /** Non-negative integer. Streams: parameters, actions and permutations per group, episodes of the copies. */
  readonly seed: number;
  /** Env-steps over which annealLr brings the learning rate to 0; needed with annealLr only. */
  readonly totalSteps?: number;
}

/**
 * The learner that `config.algorithm` names. The copies start at episode 0 of the stream `seed`, whatever stream they were
 * created with. Throws: RangeError naming the setting, when the configuration or the environment does not fit.
 */
export async function createLearner(options: LearnerOptions): Promise<Learner> {
  const { config } = options;
  requireLearnable(options);
  switch (config.algorithm) {
    case 'ippo':
      return createIppo({ ...options, config });
    case 'ppo':
      return createPpo({ ...options, config });
    case 'mappo':
      return createMappo({ ...options, config });
    case 'vdn':
      return createVdn({ ...options, config });
    case 'qmix':
      return createQmix({ ...options, config });
  }
}
