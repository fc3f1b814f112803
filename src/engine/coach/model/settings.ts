import type { LlamaConfig } from '../config.ts';

/** Tokens of context that a model is loaded with where nobody says otherwise. */
export const defaultContextTokens = 4096;

/** Seconds that one answer may take where nobody says otherwise. */
export const defaultTimeoutSeconds = 300;

/** As a model is loaded where nobody says otherwise. */
export const defaultSettings: LlamaConfig = Object.freeze({
  context: null,
  gpu: 'auto',
  timeout: null,
  adapters: [],
});
