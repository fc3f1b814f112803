import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { MemoryEntry } from '../../../shared/contract/coach-memory.ts';
import { useWorkbench } from '../../app/workbench-context.tsx';
import { failed, type Loadable, pending, ready, valueOr } from '../../state/loadable.ts';
import { studyLabel, studyShortId } from '../../state/study-label.ts';
import { countKnown } from './count-known.ts';
import { type FrozenMemory, frozenMemories } from './memory-words.ts';

export interface MemoryView {
  readonly entries: Loadable<readonly MemoryEntry[]>;
  /** What runs use. */
  readonly frozen: readonly FrozenMemory[];
  /** Hash of the frozen memory that is shown; null: what there is now. */
  readonly shown: string | null;
  sourceOf(entry: MemoryEntry): string;
  show(hash: string | null): void;
  openProposal(entry: MemoryEntry): void;
  /** Keeps studies to come from learning of it, or lets them again. */
  setForgotten(entry: MemoryEntry, isForgotten: boolean): void;
  refresh(): void;
}

/** What coaches remember; read anew when a trial ends, something is decided, or a change is rolled back. */
export function useMemory(): MemoryView {
  const { client, studies, proposals, dock, attempt } = useWorkbench();
  const loaded = useStore(studies.store, (state) => state.studies);
  const numKnown = useStore(proposals.store, (state) => countKnown(valueOr(state.proposals, [])));
  const [entries, setEntries] = useState<Loadable<readonly MemoryEntry[]>>(pending);
  const [shown, show] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  const all = valueOr(loaded, []);
  const frozen = useMemo(() => frozenMemories(valueOr(loaded, [])), [loaded]);

  // Dependencies: tries, and what is remembered more
  useEffect(() => {
    let isCurrent = true;
    client.coach.memory(shown === null ? {} : { frozen: shown }).then(
      (found) => isCurrent && setEntries(ready(found)),
      (error: unknown) => isCurrent && setEntries(failed(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, shown, tries, numKnown]);

  const refresh = (): void => setTries((before) => before + 1);
  return {
    entries,
    frozen,
    shown,
    sourceOf({ studyId, situation: { arm, seed } }) {
      const study = all.find((other) => other.studyId === studyId);
      return `${study === undefined ? studyId : studyLabel(study)}, ${arm}, seed ${seed}`;
    },
    show(hash) {
      setEntries(pending);
      show(hash);
    },
    openProposal({ proposalId, studyId, changes }) {
      const title = changes.map(({ op, target }) => `${op} ${target}`).join('; ');
      dock.openProposal(proposalId, `${title} · ${studyShortId(studyId)}`);
    },
    setForgotten({ proposalId }, isForgotten) {
      void attempt('The memory was not changed', () => client.coach.forget({ proposalId, isForgotten })).then(
        refresh,
      );
    },
    refresh,
  };
}
