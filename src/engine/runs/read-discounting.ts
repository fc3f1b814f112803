import { z } from 'zod';
import { discountingOf } from '../../shared/rl/learner-config.ts';
import type { Discounting } from '../../shared/rl/vec-env.ts';
import { AppError } from '../../shared/std/app-error.ts';
import type { RunRecord } from '../store/index.ts';

const trainedWith = z.object({
  learner: z.object({ gamma: z.number(), bootstrapTruncated: z.boolean() }),
});

/** What a run learns with: potentials pay by it. Throws: store.corrupt. */
export function readDiscounting({
  runId,
  configuration,
}: Pick<RunRecord, 'runId' | 'configuration'>): Discounting {
  const read = trainedWith.safeParse(configuration);
  if (read.success) return discountingOf(read.data.learner);
  throw new AppError('store.corrupt', `run ${runId} is on record without the discount it learned with`, {
    data: { runId },
  });
}
