import type { AstNode } from 'langium';
import { kindOf } from '../declarations/registry.ts';
import type { Declaration, Environment, Event } from '../generated/ast.ts';

const lineKinds: ReadonlySet<string> = new Set(['mission', 'set', 'capacity', 'without']);

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
  if (lineKinds.has(keyword)) return null;
  const isBlock = node.$cstNode?.text.endsWith('}') === true;
  return isBlock ? [...clauseNodes(node).map(offsetOf), endOf(node)] : null;
}

/** The parts of a block that begin lines of their own, as they stand in the text. */
function clauseNodes(node: Declaration): AstNode[] {
  switch (node.$type) {
    case 'Rule':
      return [...node.loops, ...given(node.condition), ...node.effects];
    case 'Reward':
      return [...node.loops, ...given(node.condition), ...node.gifts, ...node.options];
    case 'Event':
      return [
        ...given(node.trigger),
        ...chanceAlone(node),
        ...node.loops,
        ...given(node.condition),
        ...node.actions,
      ];
    case 'Npc':
      return [...given(node.controlled), ...node.behaviours, ...given(node.fallback)];
    case 'Constraint':
      return [
        ...node.loops,
        ...given(node.guard),
        ...given(node.demand),
        ...given(node.penalty),
        ...given(node.limit),
      ];
    case 'Metric':
      return [...node.loops, node.value, ...node.options];
    case 'Issue':
      return [...given(node.loop), node.condition, ...node.persistences, ...given(node.until)];
    case 'Regime':
      return [...node.settings, ...node.ramps, ...node.conditions];
    case 'Schedule':
      return [...given(node.start), ...node.entries];
    case 'Stage':
      return [...node.settings, ...given(node.until)];
    case 'Mission':
    case 'Setting':
    case 'Capacity':
    case 'Without':
      return [];
  }
}

/** A chance stands on the line of what it belongs to: the moment, or the condition. */
function chanceAlone(node: Event): AstNode[] {
  return node.trigger === undefined && node.condition === undefined ? node.chances : [];
}

function given(node: AstNode | undefined): AstNode[] {
  return node === undefined ? [] : [node];
}

function offsetOf(node: AstNode): number {
  return node.$cstNode?.offset ?? 0;
}

function endOf(node: AstNode): number {
  return (node.$cstNode?.end ?? 1) - 1;
}
