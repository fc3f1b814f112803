/** Takes turns between owners: one with many jobs waiting does not hold up another's first. */
export class FairQueue<T> {
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Jobs of one owner that wait. */
  sizeOf(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  push(owner: string, job: T): void {
    const jobs = this.#waiting.get(owner);
    if (jobs === undefined) this.#waiting.set(owner, [job]);
    else jobs.push(job);
    this.#size++;
  }

  /** The next owner's oldest job; that owner then goes to the end of the line. */
  shift(): T | undefined {
    for (const [owner, jobs] of this.#waiting) {
      const job = jobs.shift();
      this.#waiting.delete(owner);
      if (jobs.length > 0) this.#waiting.set(owner, jobs);
      if (job === undefined) continue;
      this.#size--;
      return job;
    }
    return undefined;
  }

  /** Takes a job out of the line; false if it has left already. */
  remove(owner: string, job: T): boolean {
    const jobs = this.#waiting.get(owner);
    const position = jobs?.indexOf(job) ?? -1;
    if (jobs === undefined || position < 0) return false;
    jobs.splice(position, 1);
    if (jobs.length === 0) this.#waiting.delete(owner);
    this.#size--;
    return true;
  }
}
