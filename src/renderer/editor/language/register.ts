import type { MonacoApi } from '../load-monaco.ts';
import { registerCompletion } from './completion.ts';
import { registerHover } from './hover.ts';
import { registerNavigation } from './navigation.ts';
import { registerQuickFixes } from './quick-fixes.ts';
import { registerStructure } from './structure.ts';

/** Everything the engine knows of EDL, as services of the editor. */
export function registerLanguageServices(monaco: MonacoApi): void {
  registerCompletion(monaco);
  registerHover(monaco);
  registerNavigation(monaco);
  registerStructure(monaco);
  registerQuickFixes(monaco);
}
