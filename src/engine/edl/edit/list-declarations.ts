import { describeDeclaration } from '../declaration-info.ts';
import { parseText } from '../parse.ts';
import type { DeclarationInfo } from '../types.ts';

/** The declarations of a text in source order; empty for a text that does not parse. Throws: never. */
export function listDeclarations(text: string): DeclarationInfo[] {
  const parsed = parseText(text);
  if (parsed.ast === null || parsed.diagnostics.length > 0) return [];
  return parsed.ast.declarations.map(describeDeclaration);
}
