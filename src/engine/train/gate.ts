/** Holds whoever comes to it while it is closed. Once its signal is aborted it holds nobody: who passes has to look at the signal. */
export class Gate {
  readonly #signal: AbortSignal;
  #opened: Promise<void> | null = null;
  #letThrough = () => {};

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.open(), { once: true });
  }

  get isClosed(): boolean {
    return this.#opened !== null;
  }

  close(): void {
    if (this.#signal.aborted) return;
    this.#opened ??= new Promise((resolve) => {
      this.#letThrough = resolve;
    });
  }

  open(): void {
    this.#opened = null;
    this.#letThrough();
  }

  /** Settles at once, or when the gate opens. `onHold` is called before a wait that really waits. */
  async pass(onHold?: () => void): Promise<void> {
    if (this.#opened === null) return;
    onHold?.();
    // Whoever closed it again meanwhile is waited for, too.
    while (this.#opened !== null) await this.#opened;
  }
}
