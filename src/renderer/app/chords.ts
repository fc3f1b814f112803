/** The parts of a KeyboardEvent that make a chord. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Whether a key press is the chord ("Mod+S", "Shift+Alt+F"). On a Mac Mod is Cmd, elsewhere Ctrl. */
export function matchesChord(press: KeyPress, chord: string, isMac: boolean): boolean {
  const parts = chord.split('+');
  const key = parts.at(-1)?.toLowerCase() ?? '';
  const wants = (modifier: string): boolean => parts.slice(0, -1).includes(modifier);
  const mod = isMac ? press.metaKey : press.ctrlKey;
  const other = isMac ? press.ctrlKey : press.metaKey;
  if (mod !== wants('Mod') || other || press.shiftKey !== wants('Shift') || press.altKey !== wants('Alt'))
    return false;
  // With Alt many layouts give another character in `key`: the physical key decides then.
  return (
    press.key.toLowerCase() === key ||
    press.code.toLowerCase() === `key${key}` ||
    press.code === `Digit${key}`
  );
}

/** The chord as it is shown to the person. */
export function chordLabel(chord: string, isMac: boolean): string {
  return chord.replace('Mod', isMac ? '⌘' : 'Ctrl');
}
