import { modelSetup } from '../../shared/contract/model-setup.ts';
import type { CoachConfig } from '../coach/config.ts';
import { exchangedModel } from '../coach/model/exchanged-model.ts';
import { hashFile } from '../coach/model/file-hash.ts';
import { fileError } from '../files/index.ts';
import type { StoreReader } from '../store/index.ts';
import { withFullPaths } from './experiment-coach.ts';
import type { ArmSpec } from './experiment-types.ts';

/** What a call says of the files it was answered with; null in calls from before it was kept. */
const onRecord = modelSetup.nullable().catch(null);

interface Question {
  readonly root: string;
  readonly studyId: string;
  /** All of the study: what one was answered counts for every other that asks the same file. */
  readonly arms: readonly Pick<ArmSpec, 'name' | 'coach'>[];
  /** Those that are still to ask. */
  readonly asking: readonly Pick<ArmSpec, 'coach'>[];
  /** Ends the wait for a hash. */
  readonly signal?: AbortSignal;
}

/**
 * Before a study goes on: the GGUF files that its coaches ask are those that answered before, or one run would be coached by two
 * models under one name. Files that have answered nothing yet are not read; a ranker is named after its content.
 *
 * Throws: experiment.invalid; workspace.unreadable, workspace.notFound for a file that cannot be read; model.cancelled.
 */
export async function requireSameModels(
  store: Pick<StoreReader, 'runs' | 'modelCalls'>,
  { root, studyId, arms, asking, signal }: Question,
): Promise<void> {
  const answered = hashesOnRecord(store, { root, studyId, arms });
  const files = new Set(asking.flatMap(({ coach }) => modelFiles(coach, root)));
  for (const file of files) {
    const known = answered.get(file);
    if (known === undefined) continue;
    const found = await hashOf(file, signal);
    if (!known.has(found)) throw exchangedModel(file, [...known], found);
  }
}

/** Full path of a file -> what its hash was when it answered in this study. */
function hashesOnRecord(
  { runs, modelCalls }: Pick<StoreReader, 'runs' | 'modelCalls'>,
  { root, studyId, arms }: Pick<Question, 'root' | 'studyId' | 'arms'>,
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const note = (file: string, hash: string): unknown =>
    found.set(file, (found.get(file) ?? new Set()).add(hash));
  for (const { runId, arm } of runs.listByStudy(studyId)) {
    const coach = arms.find(({ name }) => name === arm)?.coach;
    const [model, ...adapters] = coach === undefined ? [] : modelFiles(coach, root);
    if (model === undefined) continue;
    for (const { modelHash, setup } of modelCalls.listModels(runId)) {
      const loaded = onRecord.parse(setup);
      if (loaded !== null) {
        note(model, loaded.modelSha256);
        // By their order: a workspace that was moved has them under other paths.
        for (const [i, { sha256 }] of loaded.adapters.entries()) {
          const file = adapters[i];
          if (file !== undefined) note(file, sha256);
        }
      } else if (adapters.length === 0) note(model, modelHash);
    }
  }
  return found;
}

/** The model that a coach asks on this machine, then its adapters; none where it asks none. */
function modelFiles(coach: CoachConfig, root: string): string[] {
  const { provider, model, scorer, llama } = withFullPaths(coach, root);
  const asked = provider === 'llama' ? model : provider === 'learned' ? scorer : null;
  if (asked === null || asked === undefined) return [];
  return [asked, ...(llama?.adapters ?? []).map(({ file }) => file)];
}

async function hashOf(file: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await hashFile(file, signal);
  } catch (thrown) {
    if (signal?.aborted) throw thrown;
    throw fileError(thrown, 'read', file);
  }
}
