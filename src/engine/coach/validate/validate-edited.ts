import type { ValidationView } from '../../../shared/contract/coach.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import { tokenize } from '../enumerate/declaration-text.ts';
import { shapesOf } from '../shapes.ts';
import type { CoachDependencies, CoachEdl, Recording, RunSeries } from '../types.ts';
import type { ObjectiveAim } from './judge-reach.ts';
import { isPermitted } from './reason.ts';
import { gatherEvidence } from './validate-proposal.ts';

/** What a run has on record to hold a text against. */
export interface RunExperience {
  readonly recording: Recording;
  readonly objective: ObjectiveAim;
  readonly series: RunSeries;
  /** As `EvidenceInput.termShare`. */
  readonly termShare?: number | null;
}

export interface EditedInput {
  /** The text that it was written over. */
  readonly before: string;
  readonly text: string;
  /** Of the run, up to now. */
  readonly experience: RunExperience;
}

/**
 * What is said of a text that a person wrote over a proposal: everything it declares otherwise than the text before is held
 * against what was recorded, as a coach's changes are. A person may write any kind of declaration.
 *
 * Throws: edl.invalid for a text that does not compile, or that is of another scenario, other shapes or players.
 */
export function validateEdited(
  { edl, createVecEnv }: Pick<CoachDependencies, 'edl' | 'createVecEnv'>,
  { before, text, experience }: EditedInput,
): ValidationView {
  const candidate = compileEdited(edl, text);
  const current = edl.compile(before).environment;
  if (current === null) return { isValid: true, reasons: [] };
  if (shapesOf(current) !== shapesOf(candidate)) {
    throw new AppError(
      'edl.invalid',
      'the edited text has another scenario, other numbers of agents or other players of a group (npc declarations): they are fixed for a study',
    );
  }
  const changed = changedTargets(current, candidate);
  const reasons = gatherEvidence({ edl, createVecEnv, current, text, candidate, changed, ...experience });
  return { isValid: isPermitted(reasons), reasons };
}

function compileEdited(edl: CoachEdl, text: string): CompiledEnvironment {
  const { environment, diagnostics } = edl.compile(text);
  if (environment !== null) return environment;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const first = errors[0];
  const where =
    first === undefined ? '' : ` line ${first.range.start.line + 1}: ${first.message} (${first.code})`;
  throw new AppError('edl.invalid', `the edited text has ${errors.length} error(s);${where}`, {
    data: { diagnostics: errors },
  });
}

/** Targets that a text declares otherwise than the one before; layout, comments and documentation say nothing. */
function changedTargets(before: CompiledEnvironment, after: CompiledEnvironment): Set<string> {
  const wordsOf = (text: string): string =>
    tokenize(text)
      .map((token) => token.text)
      .join(' ');
  const known = new Map(before.declarations.map(({ target, text }) => [target, wordsOf(text)]));
  return new Set(
    after.declarations
      .filter(({ target, text }) => known.get(target) !== wordsOf(text))
      .map(({ target }) => target),
  );
}

/** The refusal of a text that recorded experience speaks against. */
export function refusedEdit({ reasons }: ValidationView, round: number): AppError {
  const errors = reasons.filter(({ severity }) => severity === 'error');
  const told = errors.map(({ code, message }) => `${message} (${code})`).join('; ');
  return new AppError(
    'coach.refused',
    `what was recorded of round ${round + 1} speaks against the edited text: ${told}. Change it, or decide with "overrule" to take it as it is`,
    { data: { reasons } },
  );
}
