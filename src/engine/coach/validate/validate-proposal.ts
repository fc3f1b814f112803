import type { ProposalBody } from '../../../shared/contract/coach.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import type { GrantableKind } from '../config.ts';
import { leadsTo } from '../leads-to.ts';
import { shapesOf } from '../shapes.ts';
import { type CeilingInput, judgeCeiling } from '../shaping/near-ceiling.ts';
import type { CoachDependencies, CoachEdl, Recording, RunSeries } from '../types.ts';
import { checkChange } from './check-changes.ts';
import { targetsOf } from './effect.ts';
import { checkEvidence, type EvidenceInput } from './fire-evidence.ts';
import type { ObjectiveAim } from './judge-reach.ts';
import { ofLanguage, type Reason, reason } from './reason.ts';
import { isUnplayable } from './replay-steps.ts';

export interface ValidationInput {
  readonly text: string;
  readonly environment: CompiledEnvironment;
  readonly body: ProposalBody;
  /** Kinds that the coach may write. Default: all but the curriculum. */
  readonly may?: readonly GrantableKind[];
  /** Near which value of the objective no new term is taken; left out: near none. */
  readonly ceiling?: Omit<CeilingInput, 'current' | 'candidate'>;
  /** Identities that were rejected or held before: a change must lead to a new one. */
  readonly excluded: ReadonlySet<string>;
  /** Identities that may not come up again yet, and why in words. Default: none. */
  readonly cooling?: ReadonlyMap<string, string>;
  readonly recording: Recording;
  readonly objective: ObjectiveAim;
  /** What was measured so far. */
  readonly series: RunSeries;
  /** As `EvidenceInput.termShare`. */
  readonly termShare?: number | null;
}

export interface ValidationResult {
  readonly reasons: readonly Reason[];
  /** Text with the changes applied; null if they cannot be. */
  readonly text: string | null;
  /** The candidate; null unless it compiles. */
  readonly environment: CompiledEnvironment | null;
}

/**
 * Everything that is checked before a change is tried: consistent, permitted, applicable, compiling, of the same
 * shapes, new, not beside the point where the objective is as good as it can be, and alive on the recorded steps of the round. All reasons of the first stage that finds any are given.
 */
export function validateProposal(
  { edl, createVecEnv }: Pick<CoachDependencies, 'edl' | 'createVecEnv'>,
  input: ValidationInput,
): ValidationResult {
  const { body, environment } = input;
  const { metric } = input.objective;
  const statics = body.changes.flatMap((change) => checkChange(change, environment, input.may, metric));
  if (statics.length > 0) return { reasons: statics, text: null, environment: null };
  const applied = applyChanges(edl, input.text, body);
  if (applied.text === null) return { reasons: applied.reasons, text: null, environment: null };
  const { text, environment: candidate } = applied;
  const { recording, objective, series, termShare } = input;
  const identityReasons = checkIdentity(input, candidate);
  if (identityReasons.length > 0) return { reasons: identityReasons, text, environment: candidate };
  const ceilingReasons =
    input.ceiling === undefined ? [] : judgeCeiling({ ...input.ceiling, current: environment, candidate });
  if (ceilingReasons.length > 0) return { reasons: ceilingReasons, text, environment: candidate };
  const changed = targetsOf(body.changes);
  const reasons = gatherEvidence({
    edl,
    createVecEnv,
    current: environment,
    text,
    candidate,
    changed,
    recording,
    objective,
    series,
    ...(termShare !== undefined && { termShare }),
  });
  return { reasons, text, environment: candidate };
}

/** Applies the changes of a body, all or none. */
export function applyChanges(
  edl: CoachEdl,
  text: string,
  { changes }: Pick<ProposalBody, 'changes'>,
):
  | { readonly text: string; readonly environment: CompiledEnvironment; readonly reasons: readonly [] }
  | { readonly text: null; readonly reasons: readonly Reason[] } {
  const result = edl.applyChanges(text, changes);
  if (!('refused' in result)) return { text: result.text, environment: result.environment, reasons: [] };
  const { code, message } = result.refused;
  const refused = changes[result.change];
  const which = refused === undefined ? '' : `${refused.op} ${refused.target}: `;
  return { text: null, reasons: [ofLanguage(code, `${which}${message}`)] };
}

function checkIdentity(
  { environment, excluded, cooling }: ValidationInput,
  candidate: CompiledEnvironment,
): Reason[] {
  const identity = leadsTo(candidate, environment);
  if (identity === environment.identity) {
    return [reason('unchanged', 'the change leads to the environment that holds already')];
  }
  if (excluded.has(identity)) {
    return [reason('repeated', 'this environment was proposed and turned down, or held before, in this run')];
  }
  const resting = cooling?.get(identity);
  if (resting !== undefined) return [reason('coolingDown', resting)];
  if (shapesOf(candidate) !== shapesOf(environment)) {
    return [
      reason(
        'otherShape',
        'the change alters the scenario, its shapes (agents, observations, actions) or who learns, which are fixed for a study',
      ),
    ];
  }
  return [];
}

/** What recorded experience says about a candidate; a record that cannot be read under it is a reason too. */
export function gatherEvidence(input: EvidenceInput): Reason[] {
  try {
    return checkEvidence(input);
  } catch (thrown) {
    if (!isUnplayable(thrown)) throw thrown;
    return [reason('noRecord', `the change cannot be evaluated on the recorded steps: ${thrown.message}`)];
  }
}
