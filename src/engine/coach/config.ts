import type { ShapingDiscipline } from './shaping/discipline.ts';

/** The `coach` block of an experiment arm, with defaults filled in by `engine/runs`. */
export interface CoachConfig {
  readonly provider: 'none' | 'rules' | 'random' | 'llama' | 'replay';
  /** llama: path of the GGUF, relative to the workspace or absolute. */
  readonly model: string | null;
  /** llama: `auto` ranks below about 1B parameters and generates above. */
  readonly proposing: 'auto' | 'rank' | 'generate';
  readonly temperature: number;
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
}
