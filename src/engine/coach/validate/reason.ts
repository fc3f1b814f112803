import type { ValidationView } from '../../../shared/contract/coach.ts';

/** Why a proposal is refused. EDL problems carry the language's own code ("EDL201"); these are the validator's. */
export type ReasonCode =
  | 'notAllowed'
  | 'inconsistent'
  | 'unchanged'
  | 'repeated'
  | 'otherShape'
  | 'wrongHint'
  | 'unknownMetric'
  | 'neverFires'
  | 'alwaysFires'
  | 'noEffect'
  | 'traps'
  | 'tooLarge'
  | 'noRecord';

export type Reason = ValidationView['reasons'][number];

export function reason(code: ReasonCode, message: string, evidence: Record<string, number> = {}): Reason {
  return { code, message, evidence };
}
