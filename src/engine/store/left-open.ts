import { openStates } from '../../shared/contract/open-states.ts';
import type { RunState } from '../../shared/contract/runs.ts';
import type { RunsReader } from './runs.ts';
import type { StudiesReader } from './studies.ts';

interface Aggregates {
  readonly runs: RunsReader;
  readonly studies: StudiesReader;
}

/** As the engine that takes the workspace next puts it on record. */
const interruptedRun = { state: 'interrupted', stepsPerSecond: null } as const;
const interruptedStudy = { state: 'interrupted', finishedAt: null } as const;

/**
 * Runs and studies as they are read where nothing may be written: what is open on record although no engine lives was
 * interrupted, by a kill or because a full disk kept its end off the record.
 */
export function readLeftOpen({ runs, studies }: Aggregates, hasEngine: () => boolean): Aggregates {
  const settle = <T extends { readonly state: RunState }>(read: () => T[], ending: Partial<T>): T[] => {
    const isOpen = ({ state }: T): boolean => openStates.includes(state);
    const records = read();
    if (!records.some(isOpen) || hasEngine()) return records;
    // Anew: the engine may have closed in good order between the two.
    return read().map((record) => (isOpen(record) ? { ...record, ...ending } : record));
  };
  const settleOne = <T extends { readonly state: RunState }>(read: () => T, ending: Partial<T>): T =>
    settle(() => [read()], ending)[0] ?? read();
  return {
    runs: {
      find: (runId) => settle(() => listed(runs.find(runId)), interruptedRun)[0] ?? null,
      get: (runId) => settleOne(() => runs.get(runId), interruptedRun),
      listByStudy: (studyId) => settle(() => runs.listByStudy(studyId), interruptedRun),
      listByState: (states) =>
        settle(() => runs.listByState([...states, ...openStates]), interruptedRun).filter(({ state }) =>
          states.includes(state),
        ),
    },
    studies: {
      find: (studyId) => settle(() => listed(studies.find(studyId)), interruptedStudy)[0] ?? null,
      get: (studyId) => settleOne(() => studies.get(studyId), interruptedStudy),
      list: () => settle(() => studies.list(), interruptedStudy),
    },
  };
}

function listed<T>(found: T | null): T[] {
  return found === null ? [] : [found];
}
