import type { CstNode } from 'langium';
import type { SourceRange } from '../types.ts';

/** Where a piece that was parsed on its own stands in the whole text. */
export interface Placement {
  /** Line of the whole text on which the piece begins. */
  readonly line: number;
  /** What to add to characters on the piece's first line. */
  readonly shift: number;
}

const placements = new WeakMap<CstNode, Placement>();

/** Tells where the tree of a piece stands now; the last call holds. */
export function place(root: CstNode, placement: Placement): void {
  placements.set(root, placement);
}

/** The range of a node in the whole text, wherever the node was parsed. */
export function placedRange(node: CstNode): SourceRange {
  const placement = placements.get(node.root);
  return placement === undefined ? node.range : moveRange(node.range, placement);
}

/** A range of a piece as the whole text counts. */
export function moveRange({ start, end }: SourceRange, placement: Placement): SourceRange {
  return { start: movePosition(start, placement), end: movePosition(end, placement) };
}

function movePosition(
  { line, character }: SourceRange['start'],
  { line: firstLine, shift }: Placement,
): SourceRange['start'] {
  return { line: firstLine + line, character: line === 0 ? character + shift : character };
}
