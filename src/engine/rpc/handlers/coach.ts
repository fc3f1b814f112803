import type { coach } from '../../../shared/contract/coach.ts';
import type { DomainHandlers } from '../../../shared/contract/define.ts';
import { readModelCallViews, readProposalView } from '../../store/index.ts';
import { type HandlerContext, requireService } from './context.ts';

export function createCoachHandlers(
  context: Pick<
    HandlerContext,
    | 'store'
    | 'studies'
    | 'evidence'
    | 'propose'
    | 'translate'
    | 'exportExamples'
    | 'memory'
    | 'learn'
    | 'probe'
    | 'forget'
    | 'decide'
  >,
): DomainHandlers<typeof coach> {
  const { store } = context;
  return {
    list: (filter) =>
      store.proposals.list(filter).map(({ proposalId }) => readProposalView(store, proposalId)),
    get({ proposalId }) {
      const { snapshotId } = store.proposals.get(proposalId);
      return {
        proposal: readProposalView(store, proposalId),
        snapshot: store.texts.get(store.snapshots.get(snapshotId).textHash),
        modelCalls: readModelCallViews(store, proposalId),
      };
    },
    evidence: context.evidence,
    propose: context.propose,
    export: context.exportExamples,
    translate: context.translate,
    memory: context.memory,
    learn: context.learn,
    probe: context.probe,
    forget: (args) => requireService(context.forget, 'forgetting a proposal')(args),
    decide: (args) => requireService(context.decide, 'deciding on a proposal')(args),
    requestProposal({ runId }) {
      store.runs.get(runId);
      requireService(context.studies, 'asking for a proposal').requestProposal(runId);
      return {};
    },
  };
}
