import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { ProposalView } from '../../../shared/contract/coach.ts';
import type { StudyView } from '../../../shared/contract/runs.ts';
import { useWorkbench } from '../../app/workbench-context.tsx';
import { type Loadable, ready, valueOr } from '../../state/loadable.ts';
import { studyShortId } from '../../state/study-label.ts';
import { proposalTitle } from '../proposal/proposal-words.ts';
import { countDecidable, type InboxFilter, type InboxGroup, inboxGroups } from './inbox-groups.ts';

export interface InboxView {
  readonly groups: Loadable<readonly InboxGroup[]>;
  readonly numAwaiting: number;
  readonly filter: InboxFilter;
  /** Studies that have proposals, newest first. */
  readonly studies: readonly StudyView[];
  /** Null: all studies are shown. */
  readonly studyId: string | null;
  setFilter(filter: InboxFilter): void;
  setStudyId(studyId: string | null): void;
  open(proposal: ProposalView): void;
  retry(): void;
}

export function useInbox(): InboxView {
  const { proposals, studies, dock } = useWorkbench();
  const all = useStore(proposals.store, (store) => store.proposals);
  const known = valueOr(
    useStore(studies.store, (store) => store.studies),
    [],
  );
  const [filter, setFilter] = useState<InboxFilter>('all');
  const [studyId, setStudyId] = useState<string | null>(null);
  const groups = useMemo(
    () => (all.status === 'ready' ? ready(inboxGroups(all.value, known, { filter, studyId })) : all),
    [all, known, filter, studyId],
  );
  const list = valueOr(all, []);
  return {
    groups,
    numAwaiting: countDecidable(list, known),
    filter,
    studies: known.filter((study) => list.some((proposal) => proposal.studyId === study.studyId)),
    studyId,
    setFilter,
    setStudyId,
    open: (proposal) =>
      dock.openProposal(
        proposal.proposalId,
        `${proposalTitle(proposal)} · ${studyShortId(proposal.studyId)}`,
      ),
    retry: () => void proposals.load(),
  };
}
