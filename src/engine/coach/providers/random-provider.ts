import { AppError } from '../../../shared/std/app-error.ts';
import { createRandom, shuffledIndices } from '../seeded-random.ts';
import { composeAnswer } from './compose-body.ts';
import type { Provider, ProviderRequest } from './provider.ts';

/**
 * The control arm: uniform over the valid edits, without replacement among the candidates of a boundary.
 * Seeds: the run's seed and the round.
 */
export async function createRandomProvider({ context, edits }: ProviderRequest): Promise<Provider> {
  const all = await edits();
  return {
    name: 'random',
    model: null,
    prompt: null,
    maxAnswers: Math.max(1, all.length),
    canRepair: false,
    async propose({ candidate }) {
      const order = shuffledIndices(createRandom('random', context.seed, context.round), all.length);
      const edit = all[order[candidate] ?? -1];
      if (edit === undefined)
        throw new AppError('input.notFound', `there are only ${all.length} valid edits to draw from`);
      return composeAnswer(edit, `Drawn uniformly from ${all.length} valid edits.`, all.length);
    },
  };
}
