import type { Diagnostic } from '../../src/shared/contract/edl.ts';

/** Wraps declarations in an environment over the test scenario `spread`, two lines above the first. */
export function environmentOf(declarations: string, scenario = 'spread'): string {
  return `environment test extends ${scenario} {\n${declarations}\n}\n`;
}

/** The part of a text that a diagnostic points at. */
export function pointedAt(text: string, diagnostic: Diagnostic): string {
  const lines = text.split('\n');
  const { start, end } = diagnostic.range;
  if (start.line === end.line) return (lines[start.line] ?? '').slice(start.character, end.character);
  const first = (lines[start.line] ?? '').slice(start.character);
  const last = (lines[end.line] ?? '').slice(0, end.character);
  return [first, ...lines.slice(start.line + 1, end.line), last].join('\n');
}
