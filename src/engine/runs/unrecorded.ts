import type { RunState, RunView, StudyView } from '../../shared/contract/runs.ts';

type Ending = Pick<RunView, 'state' | 'error'>;

/**
 * Ends that could not be put on record, as on a full disk: whoever waits for them must still see them. They last as long as
 * the engine, or until the study is taken up; the next engine finds such runs interrupted.
 */
export class UnrecordedEnds {
  readonly #runs = new Map<string, Ending>();
  readonly #studies = new Map<string, RunState>();

  noteRun(runId: string, ending: Ending): void {
    this.#runs.set(runId, ending);
  }

  noteStudy(studyId: string, state: RunState): void {
    this.#studies.set(studyId, state);
  }

  /** What is noted of a study no longer holds: its record speaks again. */
  forget(studyId: string, runIds: readonly string[]): void {
    this.#studies.delete(studyId);
    for (const runId of runIds) this.#runs.delete(runId);
  }

  run(view: RunView): RunView {
    const ending = this.#runs.get(view.runId);
    return ending === undefined ? view : { ...view, ...ending, stepsPerSecond: null };
  }

  study(view: StudyView): StudyView {
    if (this.#runs.size === 0 && this.#studies.size === 0) return view;
    const state = this.#studies.get(view.studyId) ?? view.state;
    return { ...view, state, runs: view.runs.map((run) => this.run(run)) };
  }
}
