import type { RunView, StudyView } from '../../shared/contract/runs.ts';
import { AppError } from '../../shared/std/app-error.ts';

/** The one thing whose id is `given` or begins with it. Throws store.notFound when there is none or more than one, input.invalid for an empty id. */
export function matchId<T>(
  items: readonly T[],
  idOf: (item: T) => string,
  given: string,
  what: string,
  listing: string,
): T {
  if (given === '')
    throw new AppError('input.invalid', `an empty id names no ${what}; \`${listing}\` lists them`);
  const exact = items.find((item) => idOf(item) === given);
  const matches = exact === undefined ? items.filter((item) => idOf(item).startsWith(given)) : [exact];
  const [only] = matches;
  if (matches.length === 1 && only !== undefined) return only;
  const message =
    matches.length === 0
      ? `there is no ${what} "${given}" in this workspace; \`${listing}\` lists them`
      : `"${given}" could be ${matches.slice(0, 4).map(idOf).join(' or ')}: give more of the id`;
  throw new AppError('store.notFound', message, { data: { given } });
}

export function findStudy(studies: readonly StudyView[], given: string): StudyView {
  return matchId(studies, ({ studyId }) => studyId, given, 'study', 'gymwright runs list');
}

/** Runs named by their own id, or all runs of a study named by its id. */
export function findRuns(studies: readonly StudyView[], given: readonly string[]): RunView[] {
  const named = given.flatMap((id) => {
    const isStudy = id !== '' && studies.some(({ studyId }) => studyId.startsWith(id));
    if (isStudy) return findStudy(studies, id).runs;
    const all = studies.flatMap(({ runs }) => runs);
    return [matchId(all, ({ runId }) => runId, id, 'run or study', 'gymwright runs show STUDY')];
  });
  return [...new Map(named.map((run) => [run.runId, run])).values()];
}
