import type { ValidationView } from '../../../shared/contract/coach.ts';

/** What the validator says against a proposal. EDL problems carry the language's own code ("EDL201"); these are its own. */
export type ReasonCode =
  | 'notAllowed'
  | 'inconsistent'
  | 'unchanged'
  | 'repeated'
  | 'coolingDown'
  | 'otherShape'
  | 'wrongHint'
  | 'unknownMetric'
  | 'neverFires'
  | 'alwaysFires'
  | 'noEffect'
  | 'traps'
  | 'tooLarge'
  | 'contradicts'
  | 'forcesViolation'
  | 'unreachable'
  | 'stageNever'
  | 'stageAtOnce'
  | 'losesSuccess'
  | 'paysForLoops'
  | 'cutOff'
  | 'nearCeiling'
  | 'noRecord';

export type Reason = ValidationView['reasons'][number];

/** A stretch of the record that shows what a reason says. */
export type Example = Reason['examples'][number];

/** Most examples kept of a reason. */
export const maxExamples = 3;

/** A ground to refuse a proposal. */
export function reason(
  code: ReasonCode,
  message: string,
  evidence: Record<string, number> = {},
  examples: readonly Example[] = [],
): Reason {
  return { code, severity: 'error', message, evidence, examples: examples.slice(0, maxExamples) };
}

/** Something that looks wrong and may be right: the what-if, or a person, has to say. */
export function doubt(
  code: ReasonCode,
  message: string,
  evidence: Record<string, number> = {},
  examples: readonly Example[] = [],
): Reason {
  return { ...reason(code, message, evidence, examples), severity: 'warning' };
}

/** What the language says against a text, under its own code. */
export function ofLanguage(code: string, message: string): Reason {
  return { code, severity: 'error', message, evidence: {}, examples: [] };
}

/** Whether nothing that was found refuses the proposal. */
export function isPermitted(reasons: readonly Pick<Reason, 'severity'>[]): boolean {
  return reasons.every(({ severity }) => severity === 'warning');
}
