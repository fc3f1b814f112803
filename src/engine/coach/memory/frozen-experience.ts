import { AppError } from '../../../shared/std/app-error.ts';
import { jsonOrNull } from '../../../shared/std/parse-json.ts';
import { readUnaltered, type Store, type StoreReader } from '../../store/index.ts';
import { collectExperience, type ExperienceStore } from './collect-experience.ts';
import { type Experience, experienceSchema } from './experience.ts';

/** Entries kept per scenario, the newest. */
export const maxEntries = 256;

/**
 * Writes down what the workspace's studies teach about these scenarios now (name -> version), for a study that begins.
 * Returns the hash of the text: the study reads that text for as long as it runs, whatever is learned or forgotten meanwhile.
 */
export function freezeExperience(
  store: ExperienceStore & Pick<Store, 'texts'> & Pick<StoreReader, 'memory'>,
  scenarios: ReadonlyMap<string, number>,
): string {
  const forgotten = new Set(store.memory.listForgotten());
  const entries = collectExperience(store, { scenarios, forgotten, limit: maxEntries });
  return store.texts.put(JSON.stringify({ version: 1, entries }));
}

/** What was written down. Throws: store.notFound, store.corrupt. */
export function readFrozenExperience({ texts }: Pick<StoreReader, 'texts'>, hash: string): Experience {
  if (!texts.has(hash)) throw noSuchMemory(hash);
  const text = readUnaltered(texts, hash, 'the frozen experience of a study');
  const { success, data, error } = experienceSchema.safeParse(jsonOrNull(text));
  if (success) return { hash, entries: data.entries };
  throw new AppError(
    'store.corrupt',
    `the frozen experience ${hash.slice(0, 12)} of a study is not in a form that this version reads (${error.issues[0]?.message ?? 'unknown'}): ` +
      'start the study anew.',
  );
}

function noSuchMemory(hash: string): AppError {
  return new AppError(
    'store.notFound',
    `there is no frozen memory "${hash}" in this workspace; \`gymwright runs compare STUDY --all\` shows the hash that a study began with ` +
      '(its setting "experience"), and the Memory panel lists all of them. A study whose memory is gone can only be started anew.',
    { data: { hash } },
  );
}
