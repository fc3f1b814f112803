import type { Declaration } from '../generated/ast.ts';
import type { DeclarationKindName } from '../types.ts';
import type { DeclarationKind } from './kind.ts';

/** A kind that is parsed and not checked yet: an error, so that it never means nothing in silence. */
export function pendingKind(keyword: DeclarationKindName): DeclarationKind<Declaration> {
  return {
    keyword,
    nameOf: nameOfPending,
    docOf: (node) => ('doc' in node ? (node.doc ?? '') : ''),
    explain: () => [],
    elaborate(draft, node) {
      draft.context.reporter.report('EDL199', { node }, `'${keyword}' is not checked yet`);
    },
  };
}

function nameOfPending(node: Declaration): string {
  if ('name' in node) return node.name;
  if (node.$type === 'Capacity') return node.set;
  if (node.$type === 'Without') return [node.kind, node.path.join('.')].join(' ').trim();
  return '';
}
