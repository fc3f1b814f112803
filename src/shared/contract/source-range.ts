import { z } from 'zod';

/** Zero-based, as in LSP. */
export const position = z.object({ line: z.int().nonnegative(), character: z.int().nonnegative() });
export const sourceRange = z.object({ start: position, end: position });

/** A problem in EDL text. Codes are stable ("EDL201"). */
export const diagnostic = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning', 'hint']),
  message: z.string(),
  range: sourceRange,
  suggestions: z.array(z.string()).describe('replacement texts for the range, best first'),
});

export type SourcePosition = z.infer<typeof position>;
export type SourceRange = z.infer<typeof sourceRange>;
export type Diagnostic = z.infer<typeof diagnostic>;
