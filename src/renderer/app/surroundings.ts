import type { Theme } from '../state/settings-model.ts';
import { createMemoryStorage, type KeyValueStorage } from '../state/storage.ts';

/** The browser's storage, or one that forgets where it is refused. */
export function browserStorage(): KeyValueStorage {
  try {
    return window.localStorage;
  } catch {
    return createMemoryStorage();
  }
}

/** The theme the system asks for, before the person chose one. */
export function systemTheme(): Theme {
  if (window.matchMedia('(prefers-contrast: more)').matches) return 'contrast';
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
