interface Pending<T> {
  readonly controller: AbortController;
  readonly done: Promise<T>;
}

/** Studies that are about to go on: what they need is checked first, and the hash of a large model file takes its time. */
export class PendingResumes<T> {
  readonly #pending = new Map<string, Pending<T>>();

  get studyIds(): string[] {
    return [...this.#pending.keys()];
  }

  /** Takes a study up by `work`, which has to leave it alone once its signal aborts; who asks meanwhile shares that. */
  share(studyId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const found = this.#pending.get(studyId);
    if (found !== undefined) return found.done;
    const controller = new AbortController();
    const done = work(controller.signal).finally(() => {
      if (this.#pending.get(studyId)?.controller === controller) this.#pending.delete(studyId);
    });
    this.#pending.set(studyId, { controller, done });
    return done;
  }

  /** The study is not taken up after all; who asks for it from now on begins anew. */
  cancel(studyId: string): void {
    const found = this.#pending.get(studyId);
    this.#pending.delete(studyId);
    found?.controller.abort();
  }
}
