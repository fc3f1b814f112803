import { type ChildProcess, fork } from 'node:child_process';
import { AppError } from '../../../shared/std/app-error.ts';
import { killAtExit } from '../../../shared/std/kill-at-exit.ts';
import type { HostAnswer, HostRequest } from './host/protocol.ts';

type Work = Exclude<HostRequest, { verb: 'cancel' }>;
/** A request without its number, which the process gives. */
export type HostWork = Work extends infer W ? (W extends Work ? Omit<W, 'id'> : never) : never;

export interface RequestLimits {
  readonly timeoutMs: number;
  /** How long a cancelled request may take to stop before the process is ended. */
  readonly graceMs: number;
  readonly signal: AbortSignal | undefined;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: AppError): void;
  /** Why the request was given up, if it was; then this is the error whatever the host answers. */
  givenUp: AppError | null;
}

const keptStderrBytes = 2000;

/** One model host process: started on demand, started again after it died, never waited for without a limit. */
export class HostProcess {
  readonly #workerPath: string;
  readonly #onExit: (isDeliberate: boolean) => void;
  readonly #pending = new Map<number, Pending>();
  #child: ChildProcess | null = null;
  /** Ended by us; what else it says of its end is no failure. */
  #isKilled = false;
  #stderr = '';
  #lastId = 0;

  /** `onExit` is told whether the process was ended from here. */
  constructor(workerPath: string, onExit: (isDeliberate: boolean) => void) {
    this.#workerPath = workerPath;
    this.#onExit = onExit;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Throws: the host's own error; model.timeout, model.cancelled; modelHost.died. */
  request(work: HostWork, limits: RequestLimits): Promise<unknown> {
    if (limits.signal?.aborted) return Promise.reject(cancelled());
    const child = this.#start();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const pending: Pending = { resolve, reject, givenUp: null };
      this.#pending.set(id, pending);
      const cleanUp = this.#watch(id, pending, limits);
      pending.resolve = (value) => {
        cleanUp();
        resolve(value);
      };
      pending.reject = (error) => {
        cleanUp();
        reject(error);
      };
      child.send({ ...work, id }, (error) => {
        if (error !== null) this.#settle(id, (waiting) => waiting.reject(died(error.message)));
      });
    });
  }

  kill(): void {
    this.#isKilled = true;
    this.#child?.kill('SIGKILL');
  }

  /** Settles when the process is gone. */
  async end(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    this.kill();
    await gone;
  }

  #watch(id: number, pending: Pending, { timeoutMs, graceMs, signal }: RequestLimits): () => void {
    let grace: NodeJS.Timeout | undefined;
    const giveUp = (error: AppError): void => {
      if (pending.givenUp !== null) return;
      pending.givenUp = error;
      if (this.#child?.connected) this.#child.send({ verb: 'cancel', id } satisfies HostRequest);
      grace = setTimeout(() => this.kill(), graceMs);
    };
    const timeout = setTimeout(() => {
      const seconds = Math.round(timeoutMs / 1000);
      giveUp(
        new AppError(
          'model.timeout',
          `the model did not answer within ${seconds} s; choose a smaller model or prompt, or raise llama.timeout of the coach block`,
        ),
      );
    }, timeoutMs);
    const onAbort = (): void => giveUp(cancelled());
    signal?.addEventListener('abort', onAbort, { once: true });
    return () => {
      clearTimeout(timeout);
      clearTimeout(grace);
      signal?.removeEventListener('abort', onAbort);
    };
  }

  #start(): ChildProcess {
    if (this.#child !== null) return this.#child;
    const child = fork(this.#workerPath, [], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    killAtExit(child, process);
    this.#child = child;
    this.#isKilled = false;
    this.#stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-keptStderrBytes);
    });
    child.on('message', (message) => this.#receive(message as HostAnswer));
    child.on('error', (error) => this.#lose(child, error.message));
    child.on('exit', (code, signal) =>
      this.#lose(child, signal === null ? `exit code ${code}` : `signal ${signal}`),
    );
    return child;
  }

  #receive(answer: HostAnswer): void {
    this.#settle(answer.id, (pending) => {
      if (pending.givenUp !== null) pending.reject(pending.givenUp);
      else if (answer.ok) pending.resolve(answer.value);
      else pending.reject(AppError.fromPayload(answer.error));
    });
  }

  #lose(child: ChildProcess, reason: string): void {
    if (this.#child !== child) return;
    this.#child = null;
    const error = died(reason, this.#stderr.trim());
    for (const id of [...this.#pending.keys()]) {
      this.#settle(id, (pending) => pending.reject(pending.givenUp ?? error));
    }
    this.#onExit(this.#isKilled);
  }

  #settle(id: number, how: (pending: Pending) => void): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    how(pending);
  }
}

function cancelled(): AppError {
  return new AppError('model.cancelled', 'the model request was cancelled');
}

function died(reason: string, stderr = ''): AppError {
  const tail = stderr === '' ? '' : ` Its last words: ${stderr}`;
  return new AppError(
    'modelHost.died',
    `the model host ended (${reason}); it is started again by the next request.${tail}`,
    {
      data: { reason, stderr },
    },
  );
}
