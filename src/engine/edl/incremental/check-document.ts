import { internalDiagnostic } from '../check-text.ts';
import { compileParsed } from '../compile.ts';
import type { CompileResult, EdlHost } from '../types.ts';
import type { IncrementalParser } from './incremental-parser.ts';

/**
 * As `compile`, with the declarations that `parser` has seen before not parsed again. `checkpoint` is called between parts of
 * the work; what it throws ends it.
 */
export function checkDocument(
  parser: IncrementalParser,
  text: string,
  { host, path, checkpoint }: { host: EdlHost; path: string; checkpoint: () => void },
): CompileResult {
  const parsed = parser.parse(text, checkpoint);
  checkpoint();
  try {
    return compileParsed(parsed, host, path);
  } catch (thrown) {
    return { diagnostics: [internalDiagnostic(thrown)], environment: null };
  }
}
