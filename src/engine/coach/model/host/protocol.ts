import type { ErrorPayload } from '../../../../shared/std/app-error.ts';
import type { AdapterConfig, LlamaConfig } from '../../config.ts';
import type {
  EmbedAnswer,
  EmbedRequest,
  GenerateAnswer,
  GenerateRequest,
  SampleAnswer,
  SampleRequest,
  ScoreAnswer,
  ScoreRequest,
} from '../../types.ts';
import type { MemoryEstimate } from '../estimate-memory.ts';

/** What the engine asks of the model host. One request runs at a time; `cancel` may overtake it. */
export type HostRequest =
  | { readonly id: number; readonly verb: 'load'; readonly load: LoadRequest }
  | { readonly id: number; readonly verb: 'score'; readonly request: ScoreRequest }
  | { readonly id: number; readonly verb: 'generate'; readonly request: GenerateRequest }
  | { readonly id: number; readonly verb: 'sample'; readonly request: SampleRequest }
  | { readonly id: number; readonly verb: 'embed'; readonly request: EmbedRequest }
  | { readonly verb: 'cancel'; readonly id: number };

export interface LoadRequest {
  readonly path: string;
  /** Opened as they are, or loading fails. */
  readonly contextTokens: number;
  readonly threads: number;
  readonly gpu: LlamaConfig['gpu'];
  readonly adapters: readonly AdapterConfig[];
  /** What all of it will take. */
  readonly memory: MemoryEstimate;
}

export interface LoadAnswer {
  /** Null where no graphics card is used. */
  readonly gpu: string | null;
  readonly gpuLayers: number;
}

export type WorkAnswer = LoadAnswer | ScoreAnswer | GenerateAnswer | SampleAnswer | EmbedAnswer;

export type HostAnswer =
  | { readonly id: number; readonly ok: true; readonly value: WorkAnswer }
  | { readonly id: number; readonly ok: false; readonly error: ErrorPayload };
