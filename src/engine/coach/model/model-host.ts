import { availableParallelism } from 'node:os';
import type { z } from 'zod';
import type { models } from '../../../shared/contract/models.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import type {
  EmbedAnswer,
  EmbedRequest,
  GenerateAnswer,
  GenerateRequest,
  ModelIdentity,
  ModelService,
  SampleAnswer,
  SampleRequest,
  ScoreAnswer,
  ScoreRequest,
} from '../types.ts';
import { FairQueue } from './fair-queue.ts';
import type { LoadAnswer } from './host/protocol.ts';
import { HostProcess, type HostWork } from './host-process.ts';
import { inspectModel, maxContextTokens } from './inspect-model.ts';
import { modelHostPath } from './worker-path.ts';

export type ModelHostStatus = z.infer<typeof models.status.result>;

export interface ModelHostOptions {
  /** Entry of the host process; default: the one of this build. */
  readonly workerPath?: string;
  /** Tokens of context opened at most. Default 4096. */
  readonly contextTokens?: number;
  /** Threads of llama.cpp. Default half the cores. */
  readonly threads?: number;
  /** Limit of one load. Default 120 000. */
  readonly loadTimeoutMs?: number;
  /** Limit of one answer. Default 300 000. */
  readonly answerTimeoutMs?: number;
  /** Time to stop after a cancel before the process is ended. Default 5000. */
  readonly graceMs?: number;
  readonly onStatus?: (status: ModelHostStatus) => void;
}

interface Job {
  run(): Promise<void>;
}

/**
 * The engine's side of the model host: one process, one loaded model, requests of all runs in a fair line.
 * A host that dies fails the request it was serving with modelHost.died and is started again by the next one.
 */
export class ModelHost {
  readonly #options: Required<Omit<ModelHostOptions, 'onStatus'>> & Pick<ModelHostOptions, 'onStatus'>;
  readonly #process: HostProcess;
  readonly #queue = new FairQueue<Job>();
  #loaded: { readonly identity: ModelIdentity } | null = null;
  #status: ModelHostStatus = { state: 'absent', path: null, message: 'no model is loaded' };
  #isBusy = false;
  #isClosed = false;

  constructor(options: ModelHostOptions = {}) {
    this.#options = {
      workerPath: modelHostPath(),
      contextTokens: maxContextTokens,
      threads: Math.max(1, Math.floor(availableParallelism() / 2)),
      loadTimeoutMs: 120_000,
      answerTimeoutMs: 300_000,
      graceMs: 5000,
      ...options,
    };
    this.#process = new HostProcess(this.#options.workerPath, () => this.#onExit());
  }

  get status(): ModelHostStatus {
    return this.#status;
  }

  /** Process id of the running host; null while there is none. */
  get pid(): number | null {
    return this.#process.pid;
  }

  /** The host as one run (or one command) uses it; `owner` is its place in the fair line. */
  client(owner: string): ModelService {
    let path: string | null = null;
    const needed = (): string => {
      if (path === null) throw new TypeError('load a model before score, generate, sample or embed');
      return path;
    };
    return {
      load: (wanted, signal) => {
        path = wanted;
        return this.#enqueue(owner, signal, () => this.#load(wanted, signal));
      },
      score: (request: ScoreRequest, signal) =>
        this.#work<ScoreAnswer>(owner, needed(), { verb: 'score', request }, signal),
      generate: (request: GenerateRequest, signal) =>
        this.#work<GenerateAnswer>(owner, needed(), { verb: 'generate', request }, signal),
      sample: (request: SampleRequest, signal) =>
        this.#work<SampleAnswer>(owner, needed(), { verb: 'sample', request }, signal),
      embed: (request: EmbedRequest, signal) =>
        this.#work<EmbedAnswer>(owner, needed(), { verb: 'embed', request }, signal),
    };
  }

  /** Ends the host and waits for its end; requests under way fail with modelHost.died, waiting ones with model.cancelled. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#process.end();
  }

  #work<T>(owner: string, path: string, work: HostWork, signal: AbortSignal | undefined): Promise<T> {
    return this.#enqueue(owner, signal, async () => {
      await this.#load(path, signal);
      return (await this.#ask(work, this.#options.answerTimeoutMs, signal)) as T;
    });
  }

  async #load(path: string, signal: AbortSignal | undefined): Promise<ModelIdentity> {
    if (this.#loaded?.identity.path === path) return this.#loaded.identity;
    this.#loaded = null;
    this.#setStatus({ state: 'loading', path, message: `loading ${path}` });
    try {
      const info = await inspectModel(path, signal);
      const contextTokens = Math.min(
        info.contextLength ?? this.#options.contextTokens,
        this.#options.contextTokens,
      );
      const load = { path, contextTokens, threads: this.#options.threads };
      const answer = (await this.#ask(
        { verb: 'load', load },
        this.#options.loadTimeoutMs,
        signal,
      )) as LoadAnswer;
      const { name, parameters, mode } = info;
      const identity = {
        path,
        name,
        parameters,
        mode,
        sha256: info.sha256 ?? '',
        contextLength: answer.contextTokens,
      };
      this.#loaded = { identity };
      this.#setReady('ready', identity);
      return identity;
    } catch (thrown) {
      this.#setStatus({ state: 'failed', path, message: AppError.from(thrown).message });
      throw thrown;
    }
  }

  #ask(work: HostWork, timeoutMs: number, signal: AbortSignal | undefined): Promise<unknown> {
    return this.#process.request(work, { timeoutMs, graceMs: this.#options.graceMs, signal });
  }

  #enqueue<T>(owner: string, signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancelled = (): AppError =>
        new AppError('model.cancelled', 'the model request was cancelled before its turn');
      if (signal?.aborted || this.#isClosed) {
        reject(cancelled());
        return;
      }
      const onAbort = (): void => {
        if (this.#queue.remove(owner, job)) reject(cancelled());
      };
      const job: Job = {
        run: async () => {
          signal?.removeEventListener('abort', onAbort);
          if (this.#isClosed) reject(cancelled());
          else await task().then(resolve, reject);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(owner, job);
      void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let job = this.#queue.shift(); job !== undefined; job = this.#queue.shift()) {
      if (this.#loaded !== null) this.#setReady('busy', this.#loaded.identity);
      await job.run();
    }
    this.#isBusy = false;
    if (this.#loaded !== null) this.#setReady('ready', this.#loaded.identity);
  }

  #setReady(state: 'busy' | 'ready', { path, name }: ModelIdentity): void {
    this.#setStatus({
      state,
      path,
      message: state === 'busy' ? `${name} is answering` : `${name} is loaded`,
    });
  }

  #onExit(): void {
    const path = this.#loaded?.identity.path ?? this.#status.path;
    this.#loaded = null;
    if (!this.#isClosed)
      this.#setStatus({
        state: 'failed',
        path,
        message: 'the model host ended; the next request starts it again',
      });
  }

  #setStatus(status: ModelHostStatus): void {
    this.#status = status;
    this.#options.onStatus?.(status);
  }
}
