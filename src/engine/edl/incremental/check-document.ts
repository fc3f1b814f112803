import { internalDiagnostic } from '../check-text.ts';
import { type Diagnosis, diagnoseParsed } from '../compile.ts';
import type { EdlHost } from '../types.ts';
import type { IncrementalParser } from './incremental-parser.ts';

/**
 * Checks a text as `compile` does, with the declarations that `parser` has seen before neither parsed nor, in the same
 * surroundings, checked again. `checkpoint` is called between parts of the work; what it throws ends it.
 */
export function checkDocument(
  parser: IncrementalParser,
  text: string,
  { host, path, checkpoint }: { host: EdlHost; path: string; checkpoint: () => void },
): Diagnosis {
  let given: { readonly thrown: unknown } | null = null;
  const guarded = (): void => {
    try {
      checkpoint();
    } catch (thrown) {
      given = { thrown };
      throw thrown;
    }
  };
  const parsed = parser.parse(text, guarded);
  try {
    return diagnoseParsed(parsed, host, path, guarded);
  } catch (thrown) {
    if (given !== null) throw thrown;
    return { diagnostics: [internalDiagnostic(thrown)], costPerStep: null };
  }
}
