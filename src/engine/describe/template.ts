import type { Path } from '../yaml/index.ts';

/** How a value becomes words. Thresholds, steps and margins are in the slot's unit. */
export type Scale =
  | {
      /** Named ranges: levels[i] reaches from thresholds[i-1] to thresholds[i]. */
      readonly type: 'level';
      readonly levels: readonly string[];
      readonly thresholds: readonly number[];
      readonly margin: number;
    }
  | {
      /** Rounded to `step`; another multiple is taken once the value is more than step/2 + margin away from the shown one. */
      readonly type: 'number';
      readonly step: number;
      readonly margin: number;
      /** After the number: a unit, or singular and plural of what is counted. */
      readonly unit: string;
      readonly noun: readonly [singular: string, plural: string] | null;
    }
  | {
      /** "1.5 to 1", rounded like a number on the scale that has 0 at even and runs alike to both sides. */
      readonly type: 'ratio';
      readonly step: number;
      readonly margin: number;
    };

export interface Trend {
  /** What counts as a movement. */
  readonly step: number;
  /** Descriptions without a movement after which it is steady again; null: it stays as the last movement was. */
  readonly settle: number | null;
  /** For down, none and up. */
  readonly words: readonly [falling: string, steady: string, rising: string];
}

/** One EDL expression of a slot. A ratio has two, its parts. */
export interface Reading {
  /** "spacing"; of a ratio "balance.of" and "balance.to". */
  readonly key: string;
  readonly expression: string;
  /** Where it stands in the file. */
  readonly path: Path;
}

export interface Slot {
  readonly name: string;
  /** One value per agent of a set, as in "a in good"; null: one value. */
  readonly loop: string | null;
  readonly unit: string;
  readonly readings: readonly Reading[];
  readonly scale: Scale;
  readonly trend: Trend | null;
  /** What is said where there is no value. */
  readonly missing: string;
}

export type Piece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'value' | 'trend'; readonly slot: string }
  | { readonly type: 'agent' };

export interface Line {
  readonly pieces: readonly Piece[];
  /** The line stands where each of these slots is at one of its levels. */
  readonly conditions: readonly { readonly slot: string; readonly levels: readonly string[] }[];
  /** It is repeated for every agent that has values of its slots. */
  readonly isPerAgent: boolean;
}

/** A checked template: what is read of a state, and the text it is told in. */
export interface Template {
  readonly scenario: string;
  readonly doc: string;
  /** SHA-256 of the file; states belong to it. */
  readonly hash: string;
  readonly slots: readonly Slot[];
  readonly lines: readonly Line[];
}
