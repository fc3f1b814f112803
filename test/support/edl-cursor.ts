import { AssistText, type Position, readScene, type Scene } from '../../src/engine/edl/assist/index.ts';
import type { EdlHost } from '../../src/engine/edl/types.ts';
import { arenaHost } from './edl-arena.ts';

export interface AtCursor {
  readonly text: string;
  readonly scene: Scene;
  readonly position: Position;
}

/** A text with `|` where the cursor stands, as the language services see it. */
export function atCursor(marked: string, host: EdlHost = arenaHost(), path: string | null = null): AtCursor {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const view = new AssistText(text);
  return { text, scene: readScene(view, host, path), position: view.lines.position(Math.max(0, offset)) };
}

/** The text after edits whose ranges are those of the text before. */
export function withEdits(
  text: string,
  edits: readonly { readonly range: { start: Position; end: Position }; readonly text: string }[],
): string {
  const { lines } = new AssistText(text);
  return edits
    .toSorted((a, b) => lines.offset(b.range.start) - lines.offset(a.range.start))
    .reduce(
      (so, edit) =>
        so.slice(0, lines.offset(edit.range.start)) + edit.text + so.slice(lines.offset(edit.range.end)),
      text,
    );
}
