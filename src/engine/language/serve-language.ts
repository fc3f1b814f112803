import { AppError, type ErrorPayload } from '../../shared/std/app-error.ts';
import { type LanguageRequest, RequestAnswerer } from './answer-requests.ts';
import { anyBaseFiles, workspaceBaseFiles } from './base-files.ts';
import type { DocumentUpdate } from './document.ts';

/** What the thread is started with. */
export interface LanguageThreadData {
  /** The workspace whose files may be extended. */
  readonly root: string | null;
  /** One Int32: the id of a request that is to be given up. */
  readonly cancelled: SharedArrayBuffer;
}

export interface LanguageMessage {
  readonly id: number;
  readonly request: LanguageRequest;
  /** Documents that changed since the last message. */
  readonly updates: readonly DocumentUpdate[];
}

export type LanguageAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: ErrorPayload };

/** The side of a thread that is asked. */
export interface LanguagePort {
  on(event: 'message', listener: (message: LanguageMessage) => void): void;
  postMessage(answer: LanguageAnswer): void;
}

/** Answers requests one after the other, in the order they come. */
export function serveLanguage(port: LanguagePort, { root, cancelled }: LanguageThreadData): void {
  const flag = new Int32Array(cancelled);
  const answerer = new RequestAnswerer(root, root === null ? anyBaseFiles : workspaceBaseFiles(root));
  port.on('message', ({ id, request, updates }) => {
    try {
      answerer.apply(updates);
      const value = answerer.answer(request, () => Atomics.load(flag, 0) === id);
      port.postMessage({ id, ok: true, value });
    } catch (thrown) {
      port.postMessage({ id, ok: false, error: AppError.from(thrown).toPayload() });
    }
  });
}
