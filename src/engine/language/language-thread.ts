import { Worker } from 'node:worker_threads';
import { AppError } from '../../shared/std/app-error.ts';
import type { ToolAnswer, ToolRequest } from './serve-text-tools.ts';
import type { TextTools } from './text-tools.ts';
import { languageWorkerPath } from './worker-path.ts';

interface Pending {
  resolve(value: unknown): void;
  reject(error: AppError): void;
}

/**
 * The text tools on a thread of their own: a text of some thousand lines takes a second, and the engine answers others
 * meanwhile. Started by the first request and again after it ended; alone it does not keep the process alive.
 */
export class LanguageThread implements TextTools {
  readonly #workerPath: string;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(workerPath = languageWorkerPath()) {
    this.#workerPath = workerPath;
  }

  check = (text: string) => this.#request('check', text);
  format = (text: string) => this.#request('format', text);
  explain = (text: string) => this.#request('explain', text);

  /** Requests under way fail with engine.unavailable. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #request<V extends keyof TextTools>(verb: V, text: string): Promise<Awaited<ReturnType<TextTools[V]>>> {
    const worker = this.#start();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as Pending['resolve'], reject });
      worker.ref();
      worker.postMessage({ id, verb, text } satisfies ToolRequest);
    });
  }

  #start(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(this.#workerPath, { execArgv: [] });
    this.#worker = worker;
    worker.on('message', (answer: ToolAnswer) => {
      const pending = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      if (this.#pending.size === 0) worker.unref();
      if (answer.ok) pending?.resolve(answer.value);
      else pending?.reject(AppError.fromPayload(answer.error));
    });
    worker.on('error', (error) => this.#lose(worker, error.message));
    worker.on('exit', (code) => this.#lose(worker, `exit code ${code}`));
    return worker;
  }

  #lose(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const error = new AppError(
      'engine.unavailable',
      `the language thread ended (${reason}); it is started again by the next request`,
    );
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
