import { createStore, type StoreApi } from 'zustand/vanilla';
import { type KeyValueStorage, readJson } from './storage.ts';

export const themes = ['light', 'dark', 'contrast'] as const;
export type Theme = (typeof themes)[number];

export interface Settings {
  readonly theme: Theme;
  /** Metrics of the charts panel, one chart each; null until the person chose some. */
  readonly chartKeys: readonly string[] | null;
  readonly isLogScale: boolean;
}

export interface SettingsModel {
  readonly store: StoreApi<Settings>;
  set(change: Partial<Settings>): void;
}

const storageKey = 'gymwright.settings';

/** Preferences of this window, kept in the browser's storage. */
export function createSettingsModel(storage: KeyValueStorage, systemTheme: Theme): SettingsModel {
  const stored = readJson(storage, storageKey, isSettingsPatch) ?? {};
  const store = createStore<Settings>(() => ({
    theme: systemTheme,
    chartKeys: null,
    isLogScale: false,
    ...stored,
  }));
  return {
    store,
    set(change) {
      store.setState(change);
      storage.setItem(storageKey, JSON.stringify(store.getState()));
    },
  };
}

function isSettingsPatch(value: unknown): value is Partial<Settings> {
  if (typeof value !== 'object' || value === null) return false;
  const patch = value as Record<string, unknown>;
  const isTheme = patch.theme === undefined || themes.some((theme) => theme === patch.theme);
  const isKeys =
    patch.chartKeys === undefined ||
    patch.chartKeys === null ||
    (Array.isArray(patch.chartKeys) && patch.chartKeys.every((key) => typeof key === 'string'));
  return isTheme && isKeys && (patch.isLogScale === undefined || typeof patch.isLogScale === 'boolean');
}
