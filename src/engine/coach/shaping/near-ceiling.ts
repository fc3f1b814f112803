import type { CompiledEnvironment } from '../../edl/types.ts';
import { type Reason, reason } from '../validate/reason.ts';
import { carriedFactor, type DeclaredComponent, declaredComponents } from './components.ts';

export interface CeilingInput {
  /** What holds, and what is proposed. */
  readonly current: CompiledEnvironment;
  readonly candidate: CompiledEnvironment;
  readonly objective: { readonly metric: string; readonly better: 'higher' | 'lower' };
  /** Of the objective at the end of the round. */
  readonly value: number;
  /** The best that the objective can be; null: not known. */
  readonly best: number | null;
  /** How near is near, as a share of the best; null: nothing is. */
  readonly ceiling: number | null;
  readonly trainedSteps: number;
}

/**
 * Where there is next to nothing left to gain, what a new term costs is all that it can do: it is refused. Whatever pays
 * less than before, or no longer, is not.
 */
export function judgeCeiling(input: CeilingInput): Reason[] {
  const { current, candidate, objective, value, best, ceiling, trainedSteps } = input;
  if (best === null || ceiling === null) return [];
  const left = objective.better === 'higher' ? best - value : value - best;
  // Of a best of 0 nothing is a share; what is measured of it is then small by itself.
  const within = ceiling * (best === 0 ? 1 : Math.abs(best));
  if (!(left <= within)) return [];
  const before = declaredComponents(current);
  const grown = declaredComponents(candidate).filter((component) => {
    const same = before.find(({ name, kind }) => name === component.name && kind === component.kind);
    return same === undefined || hasGrown(same, component, trainedSteps);
  });
  if (grown.length === 0) return [];
  const names = grown.map(({ kind, name }) => `${kind} ${name}`).join(' and ');
  const message =
    `${objective.metric} is at ${value.toPrecision(4)}, and ${best.toPrecision(4)} is the best it can be: ${names} would pay for ` +
    'something else than the little that is left';
  return [reason('nearCeiling', message, { objective: value, best, within })];
}

/** Whether a term may give more than before, or gives where it took. */
function hasGrown(before: DeclaredComponent, after: DeclaredComponent, trainedSteps: number): boolean {
  const factor = carriedFactor(before, after, trainedSteps);
  return factor === null || factor < 1 || limitOf(after) > limitOf(before);
}

function limitOf({ ir }: DeclaredComponent): number {
  return ir.limitShare ?? Number.POSITIVE_INFINITY;
}
