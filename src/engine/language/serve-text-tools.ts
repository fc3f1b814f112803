import { AppError, type ErrorPayload } from '../../shared/std/app-error.ts';
import { textTools } from './text-tools.ts';

export interface ToolRequest {
  readonly id: number;
  readonly verb: keyof typeof textTools;
  readonly text: string;
}

export type ToolAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: ErrorPayload };

/** The side of a thread that is asked. */
export interface ToolPort {
  on(event: 'message', listener: (request: ToolRequest) => void): void;
  postMessage(answer: ToolAnswer): void;
}

/** Answers requests one after the other, in the order they come. */
export function serveTextTools(port: ToolPort): void {
  port.on('message', ({ id, verb, text }) => {
    try {
      port.postMessage({ id, ok: true, value: textTools[verb](text) });
    } catch (thrown) {
      port.postMessage({ id, ok: false, error: AppError.from(thrown).toPayload() });
    }
  });
}
