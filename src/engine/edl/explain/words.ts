import type { AstNode } from 'langium';
import type { Condition, Loop } from '../generated/ast.ts';

/** A part of the text on one line, without comments. */
export function oneLine(node: AstNode): string {
  const text = node.$cstNode?.text ?? '';
  return text
    .replace(/"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|\/\/[^\n\r]*/g, (part) =>
      part.startsWith('"') ? part : ' ',
    )
    .replace(/\s+/g, ' ');
}

export function headline(keyword: string, name: string, doc: string | undefined): string {
  return doc === undefined || doc === '' ? `${keyword} ${name}` : `${keyword} ${name}: ${doc}`;
}

/** For whom and when a block holds. */
export function explainScope(loops: readonly Loop[], condition: Condition | undefined): string[] {
  const scope = loops.map(oneLine).join(', ');
  const when = condition === undefined ? 'at every step' : oneLine(condition);
  return [`  ${scope === '' ? when : `${scope}, ${when}`}:`];
}
