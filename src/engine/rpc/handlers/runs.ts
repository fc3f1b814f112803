import type { DomainHandlers } from '../../../shared/contract/define.ts';
import type { runs } from '../../../shared/contract/runs.ts';
import { type HandlerContext, requireService } from './context.ts';

export function createRunsHandlers({
  store,
  views,
  studies,
  report,
  plan,
  ablation,
}: Pick<HandlerContext, 'store' | 'views' | 'studies' | 'report' | 'plan' | 'ablation'>): DomainHandlers<
  typeof runs
> {
  const supervisor = (verb: string) => requireService(studies, `${verb} a study`);
  return {
    list: () => views.list(store),
    get: ({ studyId }) => views.get(store, studyId),
    start: (args) => supervisor('starting').start(args),
    pause: ({ studyId }) => supervisor('pausing').pause(studyId),
    unpause: ({ studyId }) => supervisor('continuing').unpause(studyId),
    stop: ({ studyId }) => supervisor('stopping').stop(studyId),
    keys({ runIds }) {
      for (const runId of runIds) store.runs.get(runId);
      return store.series.keys(runIds);
    },
    series: (query) => {
      store.runs.get(query.runId);
      return store.series.read(query);
    },
    compare: ({ runIds }) => views.compare(store, runIds),
    report,
    plan,
    ablation,
  };
}
