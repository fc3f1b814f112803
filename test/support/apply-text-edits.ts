import type { TextEdit } from '../../src/engine/edl/types.ts';

/** Applies edits of one text, given in order and not touching each other. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const edit of edits) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}
