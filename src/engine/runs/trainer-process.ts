import { type ChildProcess, fork } from 'node:child_process';
import { AppError } from '../../shared/std/app-error.ts';
import { killAtExit } from '../../shared/std/kill-at-exit.ts';
import type {
  RoundReport,
  TrainerCommand,
  TrainerEvent,
  TrainerInit,
  TrainerReady,
  TrialResult,
} from '../train/protocol.ts';

type Result = Extract<TrainerEvent, { type: 'done' }>['result'];
type WithoutId<C> = C extends TrainerCommand ? Omit<C, 'id'> : never;
type Command = WithoutId<TrainerCommand>;
type Report = Exclude<TrainerEvent, { type: 'done' | 'failed' }>;

interface Pending {
  resolve(result: Result): void;
  reject(error: AppError): void;
}

const keptStderrBytes = 4000;
/** A trainer that has not stopped by then is stuck; what its last checkpoint lacks is trained again. */
const stopGraceMs = 10_000;

/**
 * One trainer process. Answers come as promises, reports through `onReport` in the order they were sent; a death
 * rejects whatever is waited for with trainer.died, so nothing hangs.
 */
export class TrainerProcess {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  readonly #onReport: (report: Report) => void;
  readonly #exited: Promise<void>;
  #lastId = 0;
  #stderr = '';
  #death: AppError | null = null;

  constructor(path: string, onReport: (report: Report) => void) {
    this.#onReport = onReport;
    this.#child = fork(path, [], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    killAtExit(this.#child, process);
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-keptStderrBytes);
    });
    this.#child.on('message', (message) => this.#receive(message as TrainerEvent));
    this.#exited = new Promise((resolve) => {
      this.#child.on('error', (error) => {
        this.#lose(error.message);
        // A process that could not be started never exits.
        if (this.#child.pid === undefined) resolve();
      });
      this.#child.on('exit', (code, signal) => {
        const reason = signal === null ? `exit code ${code}` : `signal ${signal}`;
        this.#lose(reason);
        this.#tell(`process ${this.#child.pid} ended (${reason})`);
        resolve();
      });
    });
  }

  get pid(): number | null {
    return this.#child.pid ?? null;
  }

  /** Throws: learner.badCheckpoint, workspace.readOnly, workspace.diskFull, trainer.died. */
  async init(init: TrainerInit): Promise<TrainerReady> {
    const ready = (await this.#request({ type: 'init', init })) as TrainerReady;
    this.#tell(
      `process ${this.#child.pid} starts ${init.checkpoint === null ? 'anew' : 'from a checkpoint'}`,
    );
    return ready;
  }

  /** Throws: run.cancelled after a stop, learner.nonfinite, trainer.died. */
  train(command: Omit<Extract<TrainerCommand, { type: 'train' }>, 'id' | 'type'>): Promise<RoundReport> {
    return this.#request({ type: 'train', ...command }) as Promise<RoundReport>;
  }

  /** Throws: learner.badCheckpoint, trainer.died. */
  async takeUp(checkpoint: string): Promise<void> {
    await this.#request({ type: 'takeUp', checkpoint });
  }

  trial(command: Omit<Extract<TrainerCommand, { type: 'trial' }>, 'id' | 'type'>): Promise<TrialResult> {
    return this.#request({ type: 'trial', ...command }) as Promise<TrialResult>;
  }

  async pause(): Promise<void> {
    await this.#request({ type: 'pause' });
  }

  async unpause(): Promise<void> {
    await this.#request({ type: 'unpause' });
  }

  /** Settles once the trainer has written its checkpoint and let go. One that does not answer is killed: trainer.died. */
  async stop(graceMs = stopGraceMs): Promise<void> {
    const killing = setTimeout(() => this.kill(), graceMs);
    try {
      await this.#request({ type: 'stop' });
    } finally {
      clearTimeout(killing);
    }
  }

  /** Ends the process; settles when it is gone. */
  async end(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(() => this.kill(), 2000);
    await this.#exited;
    clearTimeout(timer);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #request(command: Command): Promise<Result> {
    if (this.#death !== null) return Promise.reject(this.#death);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#child.send({ ...command, id }, (error) => {
        if (error !== null)
          this.#settle(id, (pending) => pending.reject(this.#death ?? died(error.message, '')));
      });
    });
  }

  #receive(event: TrainerEvent): void {
    switch (event.type) {
      case 'done':
        this.#settle(event.id, (pending) => pending.resolve(event.result));
        break;
      case 'failed':
        this.#settle(event.id, (pending) => pending.reject(AppError.fromPayload(event.error)));
        break;
      default:
        this.#onReport(event);
    }
  }

  #tell(message: string): void {
    this.#onReport({ type: 'log', level: 'info', message });
  }

  #lose(reason: string): void {
    if (this.#death !== null) return;
    const error = died(reason, this.#stderr.trim());
    this.#death = error;
    for (const id of [...this.#pending.keys()]) this.#settle(id, (pending) => pending.reject(error));
  }

  #settle(id: number, how: (pending: Pending) => void): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    how(pending);
  }
}

function died(reason: string, stderr: string): AppError {
  const tail = stderr === '' ? '' : ` Its last words: ${stderr}`;
  return new AppError('trainer.died', `the trainer process ended (${reason}).${tail}`, {
    data: { reason, stderr },
  });
}
