import type { monaco as Monaco } from './monaco.ts';

export type MonacoApi = typeof Monaco;

let loading: Promise<MonacoApi> | null = null;

/** Monaco, fetched when the first editor opens. */
export function loadMonaco(): Promise<MonacoApi> {
  loading ??= import('./monaco.ts').then((module) => module.monaco);
  return loading;
}
