import { z } from 'zod';
import type { RunRecord, StoreReader, StudyRecord } from '../../store/index.ts';
import { readArmCoach } from '../arm-coach.ts';

const configured = z.looseObject({
  opponents: z.record(z.string(), z.string()).default({}),
});

/** A run with what reports ask of it. */
export interface ReportedRun extends RunRecord {
  readonly isFinished: boolean;
  /** Built-in policies that played whole groups while it trained. */
  readonly opponents: Readonly<Record<string, string>>;
}

export interface ReportedArm {
  readonly name: string;
  readonly provider: string;
  readonly model: string | null;
  readonly runs: readonly ReportedRun[];
}

/** A study as its reports read it: arms in the order of the file, runs by seed. */
export interface ReportedStudy {
  readonly study: StudyRecord;
  readonly better: 'higher' | 'lower';
  readonly arms: readonly ReportedArm[];
}

/** Throws: store.notFound. */
export function readReportedStudy(store: StoreReader, studyId: string): ReportedStudy {
  const study = store.studies.get(studyId);
  const runs = store.runs
    .listByStudy(studyId)
    .filter(({ parentRunId }) => parentRunId === null)
    .map((run) => ({
      ...run,
      isFinished: run.state === 'finished' && run.objective !== null,
      opponents: configured.safeParse(run.configuration).data?.opponents ?? {},
    }));
  const names = [...new Set(runs.map(({ arm }) => arm))];
  const arms = names.map((name): ReportedArm => {
    const own = runs.filter(({ arm }) => arm === name).sort((a, b) => a.seed - b.seed);
    const coach = readArmCoach(own[0]);
    return { name, provider: coach?.provider ?? 'none', model: coach?.model ?? null, runs: own };
  });
  return { study, better: study.objective.better, arms };
}

/** A value of every finished run that has one, by seed. */
export function bySeed(
  { runs }: ReportedArm,
  read: (run: ReportedRun) => number | null,
): Map<number, number> {
  return new Map(
    runs.flatMap((run): [number, number][] => {
      const value = run.isFinished ? read(run) : null;
      return value === null || !Number.isFinite(value) ? [] : [[run.seed, value]];
    }),
  );
}

/** The points of a series; none where the run has no such key. */
export function pointsOf(
  store: StoreReader,
  runId: string,
  key: string,
): readonly { readonly step: number; readonly value: number }[] {
  return store.series.keys([runId]).includes(key) ? [...store.series.points(runId, key)] : [];
}

/** The last value of a series up to a charged step, or null. */
export function valueAt(store: StoreReader, runId: string, key: string, step: number): number | null {
  return pointsOf(store, runId, key).findLast((point) => point.step <= step)?.value ?? null;
}
