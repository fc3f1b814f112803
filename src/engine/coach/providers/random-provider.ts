import { AppError } from '../../../shared/std/app-error.ts';
import type { EnumeratedEdit } from '../enumerate/enumerate-edits.ts';
import { createRandom, shuffledIndices } from '../seeded-random.ts';
import { composeAnswer } from './compose-body.ts';
import type { Provider, ProviderRequest } from './provider.ts';
import { firstPassing, secondChoice } from './second-attempt.ts';

/**
 * The control arm: uniform over the valid edits, without replacement among the candidates of a boundary. Where one is refused on
 * recorded experience, the next that was not drawn and passes takes its place, as others have a second attempt.
 * Seeds: the run's seed and the round.
 */
export async function createRandomProvider({ context, edits }: ProviderRequest): Promise<Provider> {
  const all = await edits();
  const order = shuffledIndices(createRandom('random', context.seed, context.round), all.length);
  const drawn = order.flatMap((index) => all[index] ?? []);
  const analysis = `Drawn uniformly from ${all.length} valid edits.`;
  return {
    name: 'random',
    model: null,
    prompt: null,
    maxAnswers: Math.max(1, all.length),
    canRepair: all.length > context.config.candidates,
    async propose(slot) {
      if (slot.rejections.length > 0) {
        const compose = (next: EnumeratedEdit) =>
          composeAnswer(next, `${analysis} ${secondChoice}`, all.length);
        return firstPassing(drawn.slice(context.config.candidates), slot, compose);
      }
      const edit = drawn[slot.candidate];
      if (edit === undefined)
        throw new AppError('coach.noProposal', `there are only ${all.length} valid edits to draw from`);
      return composeAnswer(edit, analysis, all.length);
    },
  };
}
