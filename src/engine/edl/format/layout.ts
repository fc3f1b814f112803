import type { AstNode } from 'langium';
import { kindOf } from '../declarations/registry.ts';
import type { Declaration, Environment } from '../generated/ast.ts';

/** Where lines begin in the canonical layout. */
export interface Layout {
  /** Offsets of tokens that begin a line. */
  readonly breaks: ReadonlySet<number>;
  /** Offsets of tokens before which an empty line belongs. */
  readonly blanks: ReadonlySet<number>;
}

/** Declarations and their clauses begin lines, and so do closing braces; blocks have an empty line around them. */
export function layoutOf(environment: Environment): Layout {
  const breaks = new Set<number>([endOf(environment)]);
  const blanks = new Set<number>();
  let isAfterBlock = false;
  for (const [i, node] of environment.declarations.entries()) {
    const isBlock = clausesOf(node) !== null;
    const offset = offsetOf(node);
    breaks.add(offset);
    if (i > 0 && (isBlock || isAfterBlock)) blanks.add(offset);
    isAfterBlock = isBlock;
    for (const clause of clausesOf(node) ?? []) breaks.add(clause);
  }
  return { breaks, blanks };
}

/** Offsets of the clauses of a block and of its closing brace; null for a declaration of one line. */
function clausesOf(node: Declaration): number[] | null {
  const { keyword } = kindOf(node);
  if (keyword === 'set' || keyword === 'mission') return null;
  return [...clauseNodes(node).map(offsetOf), ...evaluationClause(node), endOf(node)];
}

function clauseNodes(node: Declaration): AstNode[] {
  switch (node.$type) {
    case 'Rule':
      return [...node.loops, ...conditionOf(node), ...node.effects];
    case 'Reward':
      return [...node.loops, ...conditionOf(node), ...node.gifts, ...node.options];
    case 'Issue':
      return [node.condition];
    case 'Mission':
    case 'Setting':
      return [];
  }
}

function conditionOf(node: { readonly condition?: AstNode | undefined }): AstNode[] {
  return node.condition === undefined ? [] : [node.condition];
}

/** `for N evaluations` is no node of its own: it begins after the condition. */
function evaluationClause(node: Declaration): number[] {
  if (node.$type !== 'Issue' || node.evaluations === undefined) return [];
  const text = node.$cstNode?.root.fullText ?? '';
  const word = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|\bfor\b/g;
  word.lastIndex = node.condition.$cstNode?.end ?? 0;
  for (let match = word.exec(text); match !== null; match = word.exec(text)) {
    if (match[0] === 'for') return [match.index];
  }
  return [];
}

function offsetOf(node: AstNode): number {
  return node.$cstNode?.offset ?? 0;
}

function endOf(node: AstNode): number {
  return (node.$cstNode?.end ?? 1) - 1;
}
