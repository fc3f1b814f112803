import { readUnaltered, type Store, type StoreReader } from '../../store/index.ts';
import type { PromptSource } from '../types.ts';
import { shippedPath } from './prompt-files.ts';
import type { PromptMode } from './variables.ts';

/** Hashes of the shipped prompts, by what they are for. */
export type ShippedPrompts = Readonly<Record<PromptMode, string>>;

/** Writes down the prompts that this build ships, for a study that begins: it asks with them to its end, in whatever build. */
export function freezePrompts({ texts }: Pick<Store, 'texts'>, prompts: PromptSource): ShippedPrompts {
  const put = (mode: PromptMode): string => texts.put(prompts.read(null, mode).text);
  return { rank: put('rank'), generate: put('generate') };
}

/** What of a study's prompts is on record. */
export interface PromptsOnRecord {
  /** Absent where none was needed, and in studies from before they were kept. */
  readonly shipped?: ShippedPrompts | undefined;
  /** Path of a workspace's file -> hash. */
  readonly files: Readonly<Record<string, string>>;
}

/** The prompts that a study began with; what is not on record is read as it is now. Its `read` throws: store.notFound, store.corrupt, prompt.invalid. */
export function frozenPrompts(
  { texts }: Pick<StoreReader, 'texts'>,
  { shipped, files }: PromptsOnRecord,
  now: PromptSource,
): PromptSource {
  return {
    read(path, mode) {
      const hash = path === null ? shipped?.[mode] : files[path];
      if (hash === undefined) return now.read(path, mode);
      const name = path ?? shippedPath(mode);
      return { path: name, text: readUnaltered(texts, hash, `the prompt ${name} of a study`) };
    },
  };
}
