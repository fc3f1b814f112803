import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDesktopMemory, usableBounds } from '../../../src/main/desktop/window-state.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gymwright-desktop-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('openDesktopMemory', () => {
  test('remembers over starts', () => {
    openDesktopMemory(folder).set({ workspace: '/w', isMaximized: true });
    expect(openDesktopMemory(folder).get()).toEqual({ workspace: '/w', bounds: null, isMaximized: true });
  });

  test.each(['', '{', '[]', '{"bounds": {"x": "left"}, "workspace": 3}'])(
    'starts afresh from a damaged file: %s',
    (text) => {
      writeFileSync(path.join(folder, 'desktop.json'), text);
      expect(openDesktopMemory(folder).get()).toEqual({ workspace: null, bounds: null, isMaximized: false });
    },
  );

  test('goes on where nothing can be written, and says so', () => {
    const complaint = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const memory = openDesktopMemory(path.join(folder, 'gone'));
    memory.set({ workspace: '/w' });
    expect(memory.get().workspace).toBe('/w');
    expect(complaint).toHaveBeenCalledOnce();
    complaint.mockRestore();
  });
});

describe('usableBounds', () => {
  const display = { x: 0, y: 0, width: 1920, height: 1080 };

  test('keeps bounds on a display that is there', () => {
    const bounds = { x: 100, y: 50, width: 1200, height: 800 };
    expect(usableBounds(bounds, [display])).toEqual(bounds);
  });

  test.each([
    ['on a display that is gone', { x: 2500, y: 50, width: 1200, height: 800 }],
    ['with its title bar above the display', { x: 100, y: -60, width: 1200, height: 800 }],
    ['too small to use', { x: 0, y: 0, width: 200, height: 100 }],
  ])('drops bounds %s', (_case, bounds) => {
    expect(usableBounds(bounds, [display])).toBeNull();
  });
});
