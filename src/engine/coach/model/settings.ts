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

/** What a model was loaded with: on record with every call of it. */
export interface ModelSetup {
  /** Of the model's file alone; `ModelIdentity.sha256` is over the adapters, too. */
  readonly modelSha256: string;
  readonly contextTokens: number;
  /** The interface to the graphics card, such as "cuda"; null where none was used. */
  readonly gpu: string | null;
  /** Layers that it computes. */
  readonly gpuLayers: number;
  readonly threads: number;
  readonly adapters: readonly { readonly file: string; readonly sha256: string; readonly scale: number }[];
}
