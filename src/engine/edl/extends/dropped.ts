import type { Without } from '../generated/ast.ts';

/** What a `without` clause drops: "rule tiring", "set agent.accel", "mission". */
export function droppedTarget(node: Without): string {
  return node.path.length === 0 ? node.kind : `${node.kind} ${node.path.join('.')}`;
}
