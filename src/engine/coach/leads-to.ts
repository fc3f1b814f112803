import type { CompiledEnvironment } from '../edl/types.ts';
import { sha256 } from '../files/index.ts';

type Environment = Pick<CompiledEnvironment, 'identity' | 'stages'>;

function curriculumOf({ stages }: Environment): string {
  const parts = stages.map(({ name, until, forEvaluations, identity }) => [
    name,
    until?.text ?? null,
    forEvaluations,
    identity,
  ]);
  return JSON.stringify(parts);
}

/**
 * What a change leads to, to tell changes apart by: the identity of the environment that would be in force, and, where the change
 * alters the curriculum, that too. An end of a stage that is moved leaves what is in force as it is.
 */
export function leadsTo(candidate: Environment, current: Environment): string {
  const curriculum = curriculumOf(candidate);
  return curriculum === curriculumOf(current)
    ? candidate.identity
    : sha256(`${candidate.identity} ${curriculum}`);
}
