import type { LanguageRequest } from './answer-requests.ts';
import { type DocumentName, keyOf } from './document.ts';

/** A request that waits for an answer. */
export interface Job {
  readonly id: number;
  readonly request: LanguageRequest;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Whole texts can be long, and nobody waits for a check with a key pressed: these come after the rest. */
const slow: ReadonlySet<string> = new Set([
  'check',
  'explain',
  'flatten',
  'format',
  'diagnose',
  'semanticTokens',
]);

/** The document and version a request is about; null for a request about a text of its own. */
export function documentOf(request: LanguageRequest): (DocumentName & { readonly version: number }) | null {
  return 'session' in request.args ? request.args : null;
}

/** Requests in the order in which they are to be answered: those that a person waits for, then checks. */
export class RequestQueue {
  #quick: Job[] = [];
  #slow: Job[] = [];

  get isEmpty(): boolean {
    return this.#quick.length + this.#slow.length === 0;
  }

  push(job: Job): void {
    (slow.has(job.request.verb) ? this.#slow : this.#quick).push(job);
  }

  next(): Job | null {
    return this.#quick.shift() ?? this.#slow.shift() ?? null;
  }

  /** Takes out and returns the requests about a document. */
  take(name: DocumentName): Job[] {
    const isAbout = ({ request }: Job): boolean => {
      const document = documentOf(request);
      return document !== null && keyOf(document) === keyOf(name);
    };
    const taken = [...this.#quick, ...this.#slow].filter(isAbout);
    this.#quick = this.#quick.filter((job) => !isAbout(job));
    this.#slow = this.#slow.filter((job) => !isAbout(job));
    return taken;
  }

  takeAll(): Job[] {
    const all = [...this.#quick, ...this.#slow];
    this.#quick = [];
    this.#slow = [];
    return all;
  }
}
