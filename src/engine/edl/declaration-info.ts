import { kindOf, targetOf } from './declarations/registry.ts';
import type { Declaration } from './generated/ast.ts';
import { rangeOf } from './reporter.ts';
import type { DeclarationInfo } from './types.ts';

export function describeDeclaration(node: Declaration): DeclarationInfo {
  const kind = kindOf(node);
  return {
    kind: kind.keyword,
    name: kind.nameOf(node),
    target: targetOf(node),
    doc: kind.docOf(node),
    text: node.$cstNode?.text ?? '',
    range: rangeOf({ node }),
  };
}
