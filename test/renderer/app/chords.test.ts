import { describe, expect, test } from 'vitest';
import { type KeyPress, matchesChord } from '../../../src/renderer/app/chords.ts';

function press(key: string, code: string, modifiers: Partial<KeyPress> = {}): KeyPress {
  return { key, code, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...modifiers };
}

describe('matchesChord', () => {
  test('Mod is Ctrl, on a Mac Cmd', () => {
    expect(matchesChord(press('s', 'KeyS', { ctrlKey: true }), 'Mod+S', false)).toBe(true);
    expect(matchesChord(press('s', 'KeyS', { metaKey: true }), 'Mod+S', true)).toBe(true);
    expect(matchesChord(press('s', 'KeyS', { metaKey: true }), 'Mod+S', false)).toBe(false);
  });

  test('modifiers that the chord does not name rule it out', () => {
    expect(matchesChord(press('s', 'KeyS', { ctrlKey: true, shiftKey: true }), 'Mod+S', false)).toBe(false);
    expect(matchesChord(press('s', 'KeyS'), 'Mod+S', false)).toBe(false);
  });

  test('Alt chords go by the physical key where the layout gives another character', () => {
    expect(matchesChord(press('¡', 'Digit1', { altKey: true }), 'Alt+1', true)).toBe(true);
    expect(matchesChord(press('Ï', 'KeyF', { altKey: true, shiftKey: true }), 'Shift+Alt+F', true)).toBe(
      true,
    );
  });
});
