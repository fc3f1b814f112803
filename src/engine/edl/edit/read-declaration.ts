import { targetOf } from '../declarations/registry.ts';
import { format } from '../format/format.ts';
import type { Declaration } from '../generated/ast.ts';
import { parseText } from '../parse.ts';
import { type Refusal, refuse, textStart } from './refusal.ts';

/** Exactly one declaration, and the one that the target names, in the canonical layout. */
export function readDeclaration(
  edl: string,
  target: string,
): { readonly node: Declaration; readonly text: string } | Refusal {
  const parsed = parseText<Declaration>(edl, 'Declaration');
  const [problem] = parsed.diagnostics;
  if (problem !== undefined || parsed.ast === null) {
    const message = `the change is not exactly one declaration: ${problem?.message ?? ''}`;
    return refuse('EDL603', problem?.range ?? textStart, message);
  }
  const named = targetOf(parsed.ast);
  if (named !== target)
    return refuse('EDL604', textStart, `the change declares '${named}', the target is '${target}'`);
  return { node: parsed.ast, text: inCanonicalLayout(edl) };
}

/** Models write blocks on one line; people read the diff. */
function inCanonicalLayout(edl: string): string {
  const wrapped = format(`environment x extends y {\n${edl}\n}`);
  if (!('text' in wrapped)) return edl.trim();
  const lines = wrapped.text.trimEnd().split('\n').slice(1, -1);
  return lines.map((line) => line.replace(/^ {2}/, '')).join('\n');
}
