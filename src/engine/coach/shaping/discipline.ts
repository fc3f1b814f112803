/** How changes of rewards take effect in a run: the `shaping` block of a coach. */
export interface ShapingDiscipline {
  /** Share of what is left of a change that one iteration takes, in (0, 1]; 1: changes hold at once. */
  readonly smoothing: number;
  /** Training steps that weights stay as they are after they changed; 0: they may change before every iteration. */
  readonly freeze: number;
  /** What all terms of the coach together may give over an episode, as a share of the nominal return; null: no bound. */
  readonly share: number | null;
  /** What one term that a coach writes may give over an episode, as a share of the nominal return; null: no bound. */
  readonly term: number | null;
  /** No new shaping within this share of the objective's best; null: always. */
  readonly ceiling: number | null;
}

/** Every change holds at once and whole: what runs did before there was a discipline, and the arm to compare with. */
export const undisciplined: ShapingDiscipline = Object.freeze({
  smoothing: 1,
  freeze: 0,
  share: null,
  // Before it could be set.
  term: 1,
  ceiling: null,
});

export const shapingDefaults: ShapingDiscipline = Object.freeze({
  smoothing: 0.2,
  freeze: 0,
  share: 1,
  term: 1,
  ceiling: 0.03,
});

/** Whether weights ever stand anywhere but where the text has them. */
export function isGradual({ smoothing, freeze }: ShapingDiscipline): boolean {
  return smoothing < 1 || freeze > 0;
}
