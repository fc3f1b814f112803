import type { DeclarationKindName } from '../edl/types.ts';
import type { ShapingDiscipline } from './shaping/discipline.ts';

/**
 * Kinds a coach may be allowed to write. Mission, metrics and issues are what it is judged by, regimes what a person wants the
 * agents to meet: they are a person's in any case.
 */
export const grantableKinds = [
  'reward',
  'rule',
  'set',
  'event',
  'npc',
  'constraint',
  'stage',
] as const satisfies readonly DeclarationKindName[];
export type GrantableKind = (typeof grantableKinds)[number];

/** What a coach may write unless its experiment says otherwise: all but the curriculum. */
export const coachKinds = [
  'reward',
  'rule',
  'set',
  'event',
  'npc',
  'constraint',
] as const satisfies readonly GrantableKind[];

/** What a coach makes of earlier studies of the workspace, frozen at the study's start. */
export interface MemoryConfig {
  /** Accepted proposals that measurably helped, shown to a model as examples; at most so many. */
  readonly examples: number;
  /**
   * A remembered change that helped is proposed without asking anybody where the situation is at least so similar to the
   * remembered one, 0..1; null: never.
   */
  readonly reuse: number | null;
  /** What similarity is measured by: `auto` the embeddings of the coach's own model where it has one, else as `lexical`. */
  readonly vectors: 'auto' | 'lexical';
}

/** A LoRA adapter: what fine-tuning added to a model, in a GGUF file of its own. */
export interface AdapterConfig {
  /** Relative to the workspace or absolute. */
  readonly file: string;
  /** What its changes of weights are multiplied with; 1 as it was trained. */
  readonly scale: number;
}

/** How a local model is loaded and asked. */
export interface LlamaConfig {
  /** Tokens of context; null: 4096, or as many as the model was trained for where that is less. */
  readonly context: number | null;
  /** Layers that a graphics card computes; 0: none, and none of its code is loaded; `auto`: as many as fit. */
  readonly gpu: 'auto' | number;
  /** Seconds that one answer may take; null: 300. */
  readonly timeout: number | null;
  readonly adapters: readonly AdapterConfig[];
}

/** An endpoint that speaks the form of OpenAI's chat completions. Nothing is asked over a network unless an experiment names one. */
export interface HttpConfig {
  /** Base address, up to where `/chat/completions` follows; null: not said. */
  readonly url: string | null;
  /** Environment variable that holds the key; the key itself is nowhere on record. Null: none is sent. */
  readonly key: string | null;
  /** Seconds that one answer may take, with all attempts. */
  readonly timeout: number;
  /** Tokens of prompt and answer that the model takes. */
  readonly context: number;
}

/** Whose answers are repeated. */
export interface ReplayConfig {
  readonly study: string;
  /** Null: the only one that was answered in the same environment. */
  readonly arm: string | null;
}

/** The `coach` block of an experiment arm, with defaults filled in by `engine/runs`. */
export interface CoachConfig {
  readonly provider: 'none' | 'rules' | 'random' | 'llama' | 'http' | 'learned' | 'replay';
  /** llama: path of the GGUF, relative to the workspace or absolute; http: the model's name at the endpoint. */
  readonly model: string | null;
  /**
   * learned: path of a GGUF that ranked in trials which the ranker was taught by; it is asked about the edits that are best by the rest.
   * Absent: nobody is asked.
   */
  readonly scorer?: string;
  /** llama: `auto` ranks below about 1B parameters and generates above. */
  readonly proposing: 'auto' | 'rank' | 'generate';
  readonly temperature: number;
  /** Kinds of declarations that it may add, modify and remove. */
  readonly may: readonly GrantableKind[];
  /** Prompt file, relative to the workspace; null: the shipped one. */
  readonly prompt: string | null;
  readonly trigger: {
    /** Ask every n rounds; null = off. */
    readonly interval: number | null;
    /** Ask when the objective gained less than minDelta over so many evaluations; null = off. */
    readonly plateau: number | null;
    readonly minDelta: number;
    /** Ask when an EDL issue fires. */
    readonly issue: boolean;
  };
  /** semi-automatic: what validator and what-if leave in no doubt is decided, the rest waits for a person. */
  readonly mode: 'automatic' | 'semi-automatic' | 'manual';
  /** What is asked at boundary k takes effect at boundary k + lag. */
  readonly lag: number;
  /** Rounds for which an edit that was turned down or rolled back is not proposed again, in whatever environment; 0 = none. */
  readonly coolDown: number;
  /** Proposals asked for at a time. */
  readonly candidates: number;
  readonly whatif: {
    /** Share of the run's charged budget that trials may take, 0..0.5. */
    readonly share: number;
    /** Paired seeds of the first pass and of the re-test of survivors. */
    readonly seeds: number;
    readonly retest: number;
    /** Fixed greedy evaluation episodes per score. */
    readonly episodes: number;
  };
  readonly shaping: ShapingDiscipline;
  /** Null: earlier studies teach nothing. */
  readonly memory: MemoryConfig | null;
  /** For `llama`; absent: a model is loaded and asked as the host does it by itself. */
  readonly llama?: LlamaConfig;
  /** For `http`. */
  readonly http?: HttpConfig;
  /** For `replay`; absent in runs from before it could be named: the newest answer of any other study. */
  readonly replay?: ReplayConfig;
}
