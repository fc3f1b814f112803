import { z } from 'zod';
import { freezePrompts, frozenPrompts, type ShippedPrompts } from '../coach/prompts/frozen-prompts.ts';
import type { PromptSource } from '../coach/types.ts';
import type { Store, StoreReader } from '../store/index.ts';
import type { ArmSpec } from './experiment-types.ts';

/** Hashes of shipped prompts as a study's configuration has them. */
export const shippedOnRecord = z.object({ rank: z.string(), generate: z.string() });

const onRecord = z.looseObject({
  files: z.record(z.string(), z.string()).default({}),
  prompts: shippedOnRecord.optional(),
});

/** Whether an arm asks a model with the prompt that is shipped. */
export function asksWithShipped({ coach }: Pick<ArmSpec, 'coach'>): boolean {
  const { provider, scorer, prompt } = coach;
  return (provider === 'llama' || provider === 'http' || scorer !== undefined) && prompt === null;
}

/** Freezes the shipped prompts as a study begins. Returns their hashes; null where no arm asks with them. */
export function freezePromptsFor(
  store: Store,
  arms: readonly ArmSpec[],
  prompts: PromptSource,
): ShippedPrompts | null {
  return arms.some(asksWithShipped) ? freezePrompts(store, prompts) : null;
}

/** The prompts that a study began with, shipped ones and files of the workspace. Throws: store.notFound. */
export function readPrompts(store: StoreReader, studyId: string, now: PromptSource): PromptSource {
  const { files, prompts } = onRecord.parse(store.studies.get(studyId).configuration);
  return frozenPrompts(store, { files, shipped: prompts }, now);
}
