import { useEffect } from 'react';
import { matchesChord } from './chords.ts';
import { listCommands } from './commands.ts';
import type { WorkbenchContextValue } from './workbench-context.tsx';

const paletteChords = ['Mod+K', 'Mod+Shift+P'];

/** Whether the page runs on a Mac, where Cmd takes the part of Ctrl. */
export const isMac = typeof navigator !== 'undefined' && /mac/i.test(navigator.userAgent);

/** Chords of the whole window. They are taken before the editor sees them. */
export function useKeyboard(context: WorkbenchContextValue, openPalette: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isPalette =
        event.key === 'F1' || paletteChords.some((chord) => matchesChord(event, chord, isMac));
      const command = isPalette
        ? { isEnabled: true, run: openPalette }
        : listCommands(context).find(({ keys }) => keys !== undefined && matchesChord(event, keys, isMac));
      if (!command) return;
      event.preventDefault();
      event.stopPropagation();
      if (command.isEnabled) command.run();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [context, openPalette]);
}
