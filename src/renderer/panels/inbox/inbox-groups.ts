import type { ProposalView } from '../../../shared/contract/coach.ts';
import type { RunView, StudyView } from '../../../shared/contract/runs.ts';
import { isDecidable } from '../../state/proposals-model.ts';
import { studyLabel, studyShortId } from '../../state/study-label.ts';

export type InboxFilter = 'awaiting' | 'all';

export interface InboxRow {
  readonly proposal: ProposalView;
  /** Undefined while the run is not known yet. */
  readonly run: RunView | undefined;
}

/** Proposals of one study, newest first. */
export interface InboxGroup {
  readonly studyId: string;
  readonly label: string;
  readonly rows: readonly InboxRow[];
}

export interface InboxChoice {
  readonly filter: InboxFilter;
  /** Null for all studies. */
  readonly studyId: string | null;
}

/** Groups proposals by study; the study with the newest proposal comes first. */
export function inboxGroups(
  proposals: readonly ProposalView[],
  studies: readonly StudyView[],
  choice: InboxChoice,
): readonly InboxGroup[] {
  const byStudy = new Map(studies.map((study) => [study.studyId, study]));
  const groups = new Map<string, InboxRow[]>();
  for (const proposal of proposals) {
    const { studyId, runId } = proposal;
    const run = byStudy.get(studyId)?.runs.find((other) => other.runId === runId);
    if (choice.studyId !== null && choice.studyId !== studyId) continue;
    if (choice.filter === 'awaiting' && !isDecidable(proposal, run)) continue;
    groups.set(studyId, [...(groups.get(studyId) ?? []), { proposal, run }]);
  }
  return [...groups].map(([studyId, rows]) => {
    const study = byStudy.get(studyId);
    return { studyId, label: study ? studyLabel(study) : `study ${studyShortId(studyId)}`, rows };
  });
}

export function countDecidable(proposals: readonly ProposalView[], studies: readonly StudyView[]): number {
  const groups = inboxGroups(proposals, studies, { filter: 'awaiting', studyId: null });
  return groups.reduce((sum, group) => sum + group.rows.length, 0);
}
