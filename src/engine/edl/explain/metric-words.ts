import type { Explained } from '../declarations/kind.ts';
import type { Persistence, Until } from '../generated/ast.ts';
import { violationsMetric } from '../lower/measures.ts';
import { parseNumber } from '../number-text.ts';
import { oneLine } from './words.ts';

/** How often in a row a condition has to hold. */
export function explainTimes(evaluations: number): string {
  return evaluations === 1 ? 'an evaluation' : `${evaluations} evaluations in a row`;
}

/** What ends an issue or a stage. */
export function explainUntil(until: Until, persistence: Persistence | undefined): string {
  const times = persistence === undefined ? 1 : parseNumber(persistence.evaluations);
  return `${oneLine(until)}${times === 1 ? '' : `, for ${explainTimes(times)}`}`;
}

/** The definitions of metrics, a line each. */
export function explainMetrics({ ir, index }: Explained, names: readonly string[]): string[] {
  const isDeclared = (name: string): boolean =>
    [...ir.metrics, ...ir.constraints].some((declaration) => declaration.name === name);
  return names.map((name) => {
    if (isDeclared(name)) return `  ${name}: declared in this text`;
    if (name === violationsMetric) return `  ${name}: violations of all constraints`;
    return `  ${name}: ${index.metrics.get(name)?.doc ?? ''}`;
  });
}
