import type { Diagnostic } from '../../../shared/contract/edl.ts';
import type { OpenDocument } from '../../state/document.ts';

export interface Problem {
  readonly id: string;
  readonly path: string;
  readonly severity: Diagnostic['severity'];
  readonly code: string;
  readonly message: string;
  readonly line: number;
  readonly character: number;
}

const ranks = { error: 0, warning: 1, hint: 2 } as const;

/** One list over all documents: errors first, then by file and place. */
export function problemsOf(documents: Iterable<OpenDocument>): readonly Problem[] {
  const problems = [...documents].flatMap((document) =>
    document.diagnostics.map(({ code, severity, message, range }, index): Problem => {
      const { line, character } = range.start;
      return {
        id: `${document.path}#${index}`,
        path: document.path,
        severity,
        code,
        message,
        line,
        character,
      };
    }),
  );
  return problems.sort(
    (a, b) =>
      ranks[a.severity] - ranks[b.severity] ||
      a.path.localeCompare(b.path) ||
      a.line - b.line ||
      a.character - b.character,
  );
}
