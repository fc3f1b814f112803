import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useWorkbench } from '../../app/workbench-context.tsx';
import { type Problem, problemsOf } from './problem-list.ts';

export function useProblems(): { readonly problems: readonly Problem[]; open(problem: Problem): void } {
  const { documents, dock } = useWorkbench();
  const open = useStore(documents.store, (state) => state.documents);
  const problems = useMemo(() => problemsOf(open.values()), [open]);
  return { problems, open: ({ path, line, character }) => dock.openDocument(path, { line, character }) };
}
