import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../../engine/files/index.ts';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What the shell remembers between starts. */
export interface DesktopState {
  readonly workspace: string | null;
  readonly bounds: Rectangle | null;
  readonly isMaximized: boolean;
}

const emptyState: DesktopState = { workspace: null, bounds: null, isMaximized: false };
const minWidth = 800;
const minHeight = 560;

export interface DesktopMemory {
  get(): DesktopState;
  set(change: Partial<DesktopState>): void;
}

/** State in one JSON file. A damaged or missing file counts as none; a folder that cannot be written to is put up with. */
export function openDesktopMemory(folder: string): DesktopMemory {
  const file = path.join(folder, 'desktop.json');
  let state = readState(file);
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change };
      try {
        writeWhole(file, JSON.stringify(state, null, 2));
      } catch (error) {
        console.error(
          `the window's state is not remembered: ${error instanceof Error ? error.message : error}`,
        );
      }
    },
  };
}

function readState(file: string): DesktopState {
  try {
    return parseState(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return emptyState;
  }
}

export function parseState(value: unknown): DesktopState {
  if (typeof value !== 'object' || value === null) return emptyState;
  const { workspace, bounds, isMaximized } = value as Record<string, unknown>;
  return {
    workspace: typeof workspace === 'string' ? workspace : null,
    bounds: isRectangle(bounds) ? bounds : null,
    isMaximized: isMaximized === true,
  };
}

function isRectangle(value: unknown): value is Rectangle {
  if (typeof value !== 'object' || value === null) return false;
  const rectangle = value as Record<string, unknown>;
  return ['x', 'y', 'width', 'height'].every((side) => Number.isInteger(rectangle[side]));
}

/** The remembered bounds if a usable part of them lies on a display that is still there. */
export function usableBounds(bounds: Rectangle | null, displays: readonly Rectangle[]): Rectangle | null {
  if (bounds === null || bounds.width < minWidth || bounds.height < minHeight) return null;
  const isReachable = displays.some((display) => {
    const width =
      Math.min(bounds.x + bounds.width, display.x + display.width) - Math.max(bounds.x, display.x);
    const isTitleVisible = bounds.y >= display.y && bounds.y < display.y + display.height - 40;
    return width >= 200 && isTitleVisible;
  });
  return isReachable ? bounds : null;
}
