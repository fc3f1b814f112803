import type { z } from 'zod';
import type { edlDocuments } from '../../shared/contract/edl-documents.ts';
import type { Client } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/std/app-error.ts';

type Calls = typeof edlDocuments;
/** Questions about a document. */
export type LanguageQuestion = Exclude<keyof Calls, 'open' | 'change' | 'close' | 'cancel'>;
export type QuestionArgs<Q extends LanguageQuestion> = Omit<
  z.input<Calls[Q]['args']>,
  'session' | 'path' | 'version'
>;
export type QuestionAnswer<Q extends LanguageQuestion> = z.output<Calls[Q]['result']>;

interface SentDocument {
  readonly version: number;
  readonly text: string;
}

/**
 * The texts of this window as the engine's language knows them: each question is preceded by the text it is about, if
 * that is new, so an answer always fits the text. A newer text ends questions about older ones.
 */
export class LanguageSession {
  readonly #client: Client;
  readonly #id: string;
  readonly #sent = new Map<string, SentDocument>();

  constructor(client: Client, id: string = crypto.randomUUID()) {
    this.#client = client;
    this.#id = id;
  }

  /** The answer for this very text; null when it has changed meanwhile. Throws what the call throws otherwise. */
  async ask<Q extends LanguageQuestion>(
    question: Q,
    { path, text }: { readonly path: string; readonly text: string },
    args: QuestionArgs<Q>,
  ): Promise<QuestionAnswer<Q> | null> {
    const ask = this.#client.edl[question] as (args: unknown) => Promise<QuestionAnswer<Q>>;
    const attempt = (): Promise<QuestionAnswer<Q>> =>
      ask({ ...args, session: this.#id, path, version: this.#tell(path, text) });
    try {
      return await attempt().catch((thrown: unknown) => {
        if (AppError.from(thrown).code !== 'edl.notOpen') throw thrown;
        // Another engine, or one that made room: it is told again.
        this.#sent.delete(path);
        return attempt();
      });
    } catch (thrown) {
      if (AppError.from(thrown).code === 'edl.stale') return null;
      throw thrown;
    }
  }

  close(path: string): void {
    if (!this.#sent.delete(path)) return;
    // A connection that is gone has closed it already.
    this.#client.edl.close({ session: this.#id, path }).catch(() => undefined);
  }

  /** Sends a text the engine does not have yet; messages arrive in order, so nobody has to wait. */
  #tell(path: string, text: string): number {
    const sent = this.#sent.get(path);
    if (sent?.text === text) return sent.version;
    const version = (sent?.version ?? 0) + 1;
    this.#sent.set(path, { version, text });
    const update = { session: this.#id, path, version, text };
    // What went wrong, the question that follows is told too.
    this.#client.edl[sent === undefined ? 'open' : 'change'](update).catch(() => undefined);
    return version;
  }
}
