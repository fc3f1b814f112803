import { basename } from 'node:path';
import type { StoreReader } from '../../src/engine/store/index.ts';
import type { ReportView } from '../../src/shared/contract/report.ts';
import type { KeptFunnel, KeptRun } from './kept.ts';

const stages = ['asked', 'parsed', 'valid', 'tried', 'accepted', 'improved'] as const;

const rounded = (value: number): number => Number(value.toPrecision(6));

/** What is kept of a finished study of one seed. Throws where a run is not finished. */
export function keptRuns(store: StoreReader, report: ReportView): KeptRun[] {
  const runs = store.runs.listByStudy(report.studyId).filter(({ parentRunId }) => parentRunId === null);
  return runs.map(({ runId, arm, state, objective, chargedSteps, ownSteps, parameterHash }) => {
    if (state !== 'finished' || objective === null || parameterHash === null) {
      throw new Error(`run ${runId} of ${arm} is ${state}`);
    }
    const described = report.arms.find(({ name }) => name === arm);
    const model = described?.model ?? null;
    const heldOut = report.heldOut.environments.flatMap(({ name, arms }): [string, number][] => {
      const figure = arms.find((each) => each.arm === arm)?.figure;
      return figure == null ? [] : [[name, rounded(figure.iqm)]];
    });
    return {
      arm,
      provider: described?.provider ?? 'none',
      model: model === null ? null : basename(model),
      objective: rounded(objective),
      ...solvedShare(store, runId, report.objective.metric),
      chargedSteps,
      ownSteps,
      parameterHash,
      proposals: funnelOf(report, arm),
      declarations: report.complexity.find((each) => each.arm === arm)?.rounds.at(-1)?.total ?? 0,
      heldOut: Object.fromEntries(heldOut),
      curve: [...store.series.points(runId, 'eval/objective')].map(({ step, value }) => [
        step,
        rounded(value),
      ]),
    };
  });
}

function solvedShare(store: StoreReader, runId: string, metric: string): Pick<KeptRun, 'solved'> {
  const last = store.series.summaries(runId).find(({ key }) => key === 'eval/metric/success')?.last;
  return metric === 'success' || last == null ? {} : { solved: rounded(last) };
}

/** Summed over models and prompts of the arm. */
function funnelOf({ funnel }: ReportView, arm: string): KeptFunnel | null {
  const rows = funnel.filter((row) => row.arm === arm);
  if (rows.length === 0) return null;
  const sums = stages.map((stage) => [stage, rows.reduce((sum, row) => sum + row[stage], 0)] as const);
  return Object.fromEntries(sums) as unknown as KeptFunnel;
}
