import { createContext, use } from 'react';
import type { Dock } from './dock-controller.ts';
import type { Workbench } from './workbench.ts';

/** What every panel reaches: the state of the window, and the dock to open other panels in. */
export interface WorkbenchContextValue extends Workbench {
  readonly dock: Dock;
}

export const WorkbenchContext = createContext<WorkbenchContextValue | null>(null);

export function useWorkbench(): WorkbenchContextValue {
  const value = use(WorkbenchContext);
  if (value === null) throw new TypeError('useWorkbench needs a WorkbenchContext around it');
  return value;
}
