import type { Theme } from '../state/settings-model.ts';

/** Monaco's name of a theme of the workbench. */
export function monacoThemeOf(theme: Theme): string {
  return `gymwright-${theme}`;
}
