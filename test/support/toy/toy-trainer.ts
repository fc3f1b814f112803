import { serveTrainer } from '../../../src/engine/train/index.ts';
import { toyDependencies } from './toy-learner.ts';

const iterationMs = Number(process.env.TOY_ITERATION_MS ?? 0);

serveTrainer(process, {
  ...toyDependencies,
  createLearner: async (options) => {
    const learner = await toyDependencies.createLearner(options);
    const iterate = learner.iterate.bind(learner);
    learner.iterate = async (signal) => {
      if (iterationMs > 0) await new Promise((resolve) => setTimeout(resolve, iterationMs));
      return iterate(signal);
    };
    return learner;
  },
});
