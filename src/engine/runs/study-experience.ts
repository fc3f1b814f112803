import { z } from 'zod';
import { type Experience, noExperience } from '../coach/memory/experience.ts';
import { freezeExperience, readFrozenExperience } from '../coach/memory/frozen-experience.ts';
import type { Store, StoreReader } from '../store/index.ts';
import type { ArmSpec } from './experiment-types.ts';

const onRecord = z.looseObject({ experience: z.string().optional() });

/**
 * Freezes what the workspace knows of the environments that arms with a memory train in, as the study begins. Returns the hash of
 * the text; null where no arm has a memory.
 */
export function rememberFor(store: Store, arms: readonly ArmSpec[]): string | null {
  const remembering = arms.filter(({ coach }) => coach.memory !== null);
  if (remembering.length === 0) return null;
  const manifests = remembering.map(({ environment }) => environment.compiled.manifest);
  return freezeExperience(store, new Map(manifests.map(({ name, version }) => [name, version])));
}

/**
 * What earlier studies may teach a run of the study: the same for all its arms and seeds, nothing where the arm's coach has no
 * memory. Throws: store.notFound, store.corrupt.
 */
export function readExperience(
  store: StoreReader,
  { studyId, arm }: { readonly studyId: string; readonly arm: Pick<ArmSpec, 'coach'> },
): Experience {
  if (arm.coach.memory === null) return noExperience;
  const { experience } = onRecord.parse(store.studies.get(studyId).configuration);
  return experience === undefined ? noExperience : readFrozenExperience(store, experience);
}
