import { Worker } from 'node:worker_threads';
import type { DomainHandlers } from '../../shared/contract/define.ts';
import type { edlDocuments } from '../../shared/contract/edl-documents.ts';
import { AppError } from '../../shared/std/app-error.ts';
import type { LanguageRequest } from './answer-requests.ts';
import { type DocumentName, type DocumentUpdate, keyOf, notOpen, stale } from './document.ts';
import { documentHandlers, type Language } from './language.ts';
import { documentOf, type Job, RequestQueue } from './request-queue.ts';
import type { LanguageAnswer, LanguageMessage, LanguageThreadData } from './serve-language.ts';
import type { TextArgs, TextTools } from './text-tools.ts';
import { languageWorkerPath } from './worker-path.ts';

export interface LanguageThreadOptions {
  /** The workspace whose files may be extended; null: any file. */
  readonly root?: string | null;
  readonly workerPath?: string;
}

/** Windows that went away without closing theirs: the documents that were not touched for longest go. */
const maxDocuments = 200;

/**
 * The language on a thread of its own: a text of some thousand lines takes a while, and the engine answers others meanwhile.
 * One request is under way at a time; a newer version of a document ends those about older ones. Started by the first request
 * and again after it ended, with the open documents; alone it does not keep the process alive.
 */
export class LanguageThread implements Language {
  readonly documents: DomainHandlers<typeof edlDocuments>;
  readonly #root: string | null;
  readonly #workerPath: string;
  readonly #queue = new RequestQueue();
  /** Open documents, least recently changed first. */
  readonly #open = new Map<string, DocumentUpdate>();
  /** What the thread has not been told yet. */
  readonly #untold = new Map<string, DocumentUpdate>();
  readonly #cancelled = new SharedArrayBuffer(4);
  #worker: Worker | null = null;
  #running: Job | null = null;
  #lastId = 0;

  constructor({ root = null, workerPath = languageWorkerPath() }: LanguageThreadOptions = {}) {
    this.#root = root;
    this.#workerPath = workerPath;
    this.documents = documentHandlers(
      {
        open: (update) => this.#keep(update),
        change: (update) => {
          if (!this.#open.has(keyOf(update))) throw notOpen(update.path);
          return this.#keep(update);
        },
        close: (name) => this.#drop(name),
        cancel: (name) => this.#cancel(name),
      },
      (verb, args) => this.#ask({ verb, args } as LanguageRequest),
    );
  }

  check = (args: TextArgs) => this.#ask<ReturnType<TextTools['check']>>({ verb: 'check', args });
  format = (args: TextArgs) => this.#ask<string>({ verb: 'format', args });
  explain = (args: TextArgs) => this.#ask<string>({ verb: 'explain', args });
  flatten = (args: TextArgs) => this.#ask<string>({ verb: 'flatten', args });

  /** Requests that wait or are under way fail with engine.unavailable. */
  async close(): Promise<void> {
    const error = new AppError('engine.unavailable', 'the engine is closing');
    for (const job of this.#queue.takeAll()) job.reject(error);
    await this.#worker?.terminate();
  }

  #keep(update: DocumentUpdate): Record<string, never> {
    const key = keyOf(update);
    this.#open.delete(key);
    this.#open.set(key, update);
    this.#untold.set(key, update);
    const [oldest] = this.#open.values();
    if (this.#open.size > maxDocuments && oldest !== undefined) this.#drop(oldest);
    return this.#cancel(update);
  }

  #drop(name: DocumentName): Record<string, never> {
    const key = keyOf(name);
    if (this.#open.delete(key))
      this.#untold.set(key, { session: name.session, path: name.path, version: 0, text: null });
    return this.#cancel(name);
  }

  /** Ends what waits for a document, and tells the thread to give up what is under way for it. */
  #cancel(name: DocumentName): Record<string, never> {
    for (const job of this.#queue.take(name)) job.reject(stale(name.path));
    const running = this.#running === null ? null : documentOf(this.#running.request);
    if (this.#running !== null && running !== null && keyOf(running) === keyOf(name))
      Atomics.store(new Int32Array(this.#cancelled), 0, this.#running.id);
    return {};
  }

  #ask<T>(request: LanguageRequest): Promise<T> {
    const document = documentOf(request);
    const open = document === null ? null : this.#open.get(keyOf(document));
    if (document !== null && open === undefined) return Promise.reject(notOpen(document.path));
    if (document !== null && open?.version !== document.version) return Promise.reject(stale(document.path));
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ id: ++this.#lastId, request, resolve: resolve as Job['resolve'], reject });
      this.#advance();
    });
  }

  /** Hands the next request to the thread, with what it does not know yet. */
  #advance(): void {
    if (this.#running !== null) return;
    const job = this.#queue.next();
    if (job === null) return void this.#worker?.unref();
    const worker = this.#start();
    worker.ref();
    this.#running = job;
    const updates = [...this.#untold.values()];
    this.#untold.clear();
    worker.postMessage({ id: job.id, request: job.request, updates } satisfies LanguageMessage);
  }

  #start(): Worker {
    if (this.#worker !== null) return this.#worker;
    const workerData: LanguageThreadData = { root: this.#root, cancelled: this.#cancelled };
    const worker = new Worker(this.#workerPath, { execArgv: [], workerData });
    this.#worker = worker;
    for (const [key, update] of this.#open) this.#untold.set(key, update);
    worker.on('message', (answer: LanguageAnswer) => this.#settle(answer));
    worker.on('error', (error) => this.#lose(worker, error.message));
    worker.on('exit', (code) => this.#lose(worker, `exit code ${code}`));
    return worker;
  }

  #settle(answer: LanguageAnswer): void {
    const job = this.#running;
    if (job === null || job.id !== answer.id) return;
    this.#running = null;
    if (answer.ok) job.resolve(answer.value);
    else job.reject(AppError.fromPayload(answer.error));
    this.#advance();
  }

  #lose(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const job = this.#running;
    this.#running = null;
    job?.reject(
      new AppError(
        'engine.unavailable',
        `the language thread ended (${reason}); it is started again by the next request`,
      ),
    );
    this.#advance();
  }
}
