import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import type { z } from 'zod';
import type { models } from '../../../shared/contract/models.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import type { LlamaConfig } from '../config.ts';
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
import { exchangedModel } from './exchanged-model.ts';
import { FairQueue } from './fair-queue.ts';
import type { LoadAnswer } from './host/protocol.ts';
import { HostProcess, type HostWork } from './host-process.ts';
import { inspectHeader } from './inspect-model.ts';
import { type LoadPlan, planLoad } from './plan-load.ts';
import { defaultContextTokens, defaultSettings, defaultTimeoutSeconds } from './settings.ts';
import { modelHostPath } from './worker-path.ts';

export type ModelHostStatus = z.infer<typeof models.status.result>;

export interface ModelHostOptions {
  /** Entry of the host process; default: the one of this build. */
  readonly workerPath?: string;
  /** Tokens of context opened where a client says nothing, at most. Default 4096. */
  readonly contextTokens?: number;
  /** Threads of llama.cpp. Default half the cores. */
  readonly threads?: number;
  /** Limit of one load. Default 120 000. */
  readonly loadTimeoutMs?: number;
  /** Limit of one answer where a client sets none. Default 300 000. */
  readonly answerTimeoutMs?: number;
  /** Requests that may wait, of one owner and of all; a run has one at a time. Default 16 and 1024. */
  readonly maxWaiting?: { readonly owner: number; readonly all: number };
  /** Time to stop after a cancel before the process is ended. Default 5000. */
  readonly graceMs?: number;
  readonly onStatus?: (status: ModelHostStatus) => void;
}

interface Job {
  run(): Promise<void>;
}

/** A model as one client wants it. */
interface Wanted {
  readonly path: string;
  readonly settings: LlamaConfig;
  /** Of the file as it was loaded for the client first; null: not yet. Loaded again, it has to be the same. */
  sha256: string | null;
}

const nothingLoaded: ModelHostStatus = { state: 'absent', path: null, message: 'no model is loaded' };

/**
 * The engine's side of the model host: one process, one loaded model, requests of all runs in a fair line.
 * A host that dies fails the request it was serving with modelHost.died and is started again by the next one.
 */
export class ModelHost {
  readonly #options: Required<Omit<ModelHostOptions, 'onStatus'>> & Pick<ModelHostOptions, 'onStatus'>;
  readonly #process: HostProcess;
  readonly #queue = new FairQueue<Job>();
  #loaded: { readonly key: string; readonly identity: ModelIdentity } | null = null;
  #status: ModelHostStatus = nothingLoaded;
  #isBusy = false;
  #isClosed = false;

  constructor(options: ModelHostOptions = {}) {
    this.#options = {
      workerPath: modelHostPath(),
      contextTokens: defaultContextTokens,
      threads: Math.max(1, Math.floor(availableParallelism() / 2)),
      loadTimeoutMs: 120_000,
      answerTimeoutMs: defaultTimeoutSeconds * 1000,
      maxWaiting: { owner: 16, all: 1024 },
      graceMs: 5000,
      ...options,
    };
    this.#process = new HostProcess(this.#options.workerPath, (isDeliberate) => this.#onExit(isDeliberate));
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
    let wanted: Wanted | null = null;
    const needed = (): Wanted => {
      if (wanted === null) throw new TypeError('load a model before score, generate, sample or embed');
      return wanted;
    };
    return {
      load: (path, signal, settings = defaultSettings) => {
        const model: Wanted = { path, settings, sha256: null };
        wanted = model;
        return this.#enqueue(owner, signal, async () => {
          const identity = await this.#load(model, signal);
          model.sha256 = identity.sha256;
          return identity;
        });
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

  #work<T>(owner: string, model: Wanted, work: HostWork, signal: AbortSignal | undefined): Promise<T> {
    const { timeout } = model.settings;
    const timeoutMs = timeout === null ? this.#options.answerTimeoutMs : timeout * 1000;
    return this.#enqueue(owner, signal, async () => {
      const { path, sha256 } = await this.#load(model, signal);
      if (model.sha256 !== null && sha256 !== model.sha256)
        throw exchangedModel(path, [model.sha256], sha256);
      return (await this.#ask(work, timeoutMs, signal)) as T;
    });
  }

  async #load({ path, settings }: Wanted, signal: AbortSignal | undefined): Promise<ModelIdentity> {
    const { context, gpu, adapters } = settings;
    const key = JSON.stringify([path, context, gpu, adapters]);
    if (this.#loaded?.key === key) return this.#loaded.identity;
    this.#loaded = null;
    this.#setStatus({ state: 'loading', path, message: `loading ${path}` });
    try {
      const plan = await planLoad(path, settings, this.#options, signal);
      const work = { verb: 'load', load: plan.load } as const;
      const answer = (await this.#ask(work, this.#options.loadTimeoutMs, signal)) as LoadAnswer;
      const identity = identify(plan, answer);
      this.#loaded = { key, identity };
      this.#setReady('ready', identity);
      return identity;
    } catch (thrown) {
      const { code, message } = AppError.from(thrown);
      // Who stopped waiting, or ended the host, knows why there is no model.
      const isGivenUp = code === 'model.cancelled' || this.#isClosed;
      this.#setStatus(isGivenUp ? nothingLoaded : { state: 'failed', path, message });
      throw thrown;
    }
  }

  #ask(work: HostWork, timeoutMs: number, signal: AbortSignal | undefined): Promise<unknown> {
    // Closed while the files were read: nobody would end a process that is started now.
    if (this.#isClosed) return Promise.reject(cancelledInLine());
    return this.#process.request(work, { timeoutMs, graceMs: this.#options.graceMs, signal });
  }

  #enqueue<T>(owner: string, signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted || this.#isClosed) {
        reject(cancelledInLine());
        return;
      }
      const { maxWaiting } = this.#options;
      if (this.#queue.size >= maxWaiting.all || this.#queue.sizeOf(owner) >= maxWaiting.owner) {
        reject(busy(this.#queue.size, this.#queue.sizeOf(owner), owner));
        return;
      }
      const onAbort = (): void => {
        if (this.#queue.remove(owner, job)) reject(cancelledInLine());
      };
      const job: Job = {
        run: async () => {
          signal?.removeEventListener('abort', onAbort);
          if (this.#isClosed) reject(cancelledInLine());
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

  #onExit(isDeliberate: boolean): void {
    const path = this.#loaded?.identity.path ?? this.#status.path;
    this.#loaded = null;
    const message = 'the model host ended; the next request starts it again';
    this.#setStatus(isDeliberate ? nothingLoaded : { state: 'failed', path, message });
  }

  #setStatus(status: ModelHostStatus): void {
    this.#status = status;
    this.#options.onStatus?.(status);
  }
}

function identify({ load, sha256, modelSha256, adapters }: LoadPlan, answer: LoadAnswer): ModelIdentity {
  const { path, threads, contextTokens } = load;
  const { name, parameters, mode } = inspectHeader(path);
  const { gpu, gpuLayers } = answer;
  const names = adapters.map(
    ({ file, scale }) => ` + ${basename(file, '.gguf')}${scale === 1 ? '' : ` × ${scale}`}`,
  );
  return {
    ...{ path, name: name + names.join(''), parameters, mode, sha256, contextLength: contextTokens },
    setup: { modelSha256, contextTokens, gpu, gpuLayers, threads, adapters },
  };
}

/** Whoever waits for answers before asking on never sees it. */
function busy(waiting: number, own: number, owner: string): AppError {
  const message =
    `the model host has ${waiting} requests waiting, ${own} of them of "${owner}", and takes no more: ` +
    'wait for answers before asking on, or ask fewer things at a time';
  return new AppError('model.busy', message, { data: { waiting, own, owner } });
}

function cancelledInLine(): AppError {
  return new AppError('model.cancelled', 'the model request was cancelled before its turn');
}
