import { AppError } from '../../../shared/std/app-error.ts';
import { editedChanges } from '../../coach/export/edited-changes.ts';
import { wasRolledBack } from '../../coach/export/rolled-back.ts';
import type { EdlChange } from '../../edl/types.ts';
import type { RunRecord, StoreReader } from '../../store/index.ts';
import { readLoopState } from '../loop-state.ts';
import type { EdlServices } from '../services.ts';

/** One change that led from a run's first environment to its last. */
export interface AppliedChange {
  /** From 1, in the order they were applied. */
  readonly index: number;
  /** "remove reward crowding". */
  readonly label: string;
  /** Null where a declaration differs that no one decision accounts for. */
  readonly proposalId: string | null;
  /** The round it was decided after, from 0. */
  readonly round: number | null;
  readonly changes: readonly EdlChange[];
}

export interface Evolution {
  /** The environment the run began with. */
  readonly first: string;
  /** The environment of its last round. */
  readonly last: string;
  readonly changes: readonly AppliedChange[];
}

/** The language with the capacities of the run. */
export type RunEdl = Pick<EdlServices, 'compile' | 'applyChanges'>;

export function edlOfRun(edl: RunEdl, run: RunRecord): RunEdl {
  const { capacities } = readLoopState(run.loop);
  return {
    compile: (text) => edl.compile(text, { capacities }),
    applyChanges: (text, changes) => edl.applyChanges(text, changes, { capacities }),
  };
}

/**
 * Whether a run's last environment is another one than its first, stages of a curriculum aside: those belong to the environment.
 * False for a run that has not begun.
 */
export function hasChanged(store: StoreReader, edl: RunEdl, { runId }: RunRecord): boolean {
  const texts = endsOf(store, runId);
  return texts !== null && identityOf(edl, texts.first) !== identityOf(edl, texts.last);
}

/** The texts that a run began with and came to; null: it has not begun. */
function endsOf({ rounds, texts }: StoreReader, runId: string): Pick<Evolution, 'first' | 'last'> | null {
  const all = rounds.listByRun(runId);
  const [begun, ended] = [all[0], all.at(-1)];
  if (begun === undefined || ended === undefined) return null;
  return { first: texts.get(begun.environmentHash), last: texts.get(ended.environmentHash) };
}

function identityOf(edl: RunEdl, text: string): string | undefined {
  return edl.compile(text).environment?.identity;
}

/**
 * How a run's environment came about: the decisions that took effect and were not rolled back. Where they alone do not lead
 * from the first text to the last, the declarations in which those differ, one by one.
 *
 * Throws: input.invalid where nothing changed, or no change expresses what did.
 */
export function readEvolution(store: StoreReader, edl: RunEdl, { runId }: RunRecord): Evolution {
  const ends = endsOf(store, runId);
  if (ends === null)
    throw new AppError('input.invalid', `run ${runId} has not begun: there is nothing to attribute yet.`);
  const { first, last } = ends;
  if (identityOf(edl, first) === identityOf(edl, last))
    throw new AppError(
      'input.invalid',
      `run ${runId} ended in the environment it began with: no change is left to attribute anything to.`,
    );
  const decided = decidedChanges(store, edl, runId);
  if (leadsTo(edl, first, decided, last)) return { first, last, changes: decided };
  const changes = editedChanges(edl, first, last);
  if (changes === null)
    throw new AppError(
      'input.invalid',
      `what changed in the environment of run ${runId} cannot be told as changes to declarations.`,
    );
  return {
    first,
    last,
    changes: changes.map((change, index) => ({
      index: index + 1,
      label: labelOf([change]),
      proposalId: null,
      round: null,
      changes: [change],
    })),
  };
}

function decidedChanges(store: StoreReader, edl: RunEdl, runId: string): AppliedChange[] {
  return store.decisions
    .listByRun(runId)
    .filter((decision) => decision.appliedRound !== null && !wasRolledBack(store, runId, decision))
    .sort((a, b) => (a.appliedRound ?? 0) - (b.appliedRound ?? 0))
    .flatMap(({ proposalId, verdict, textHash, appliedRound }) => {
      const { body, beforeHash } = store.proposals.get(proposalId);
      const edited =
        verdict === 'edited' && textHash !== null
          ? editedChanges(edl, store.texts.get(beforeHash), store.texts.get(textHash))
          : null;
      const changes = verdict === 'edited' ? edited : (body?.changes ?? null);
      if (changes === null) return [];
      const bare = changes.map(({ op, target, edl: text }) => ({ op, target, edl: text }));
      return [{ label: labelOf(bare), proposalId, round: appliedRound, changes: bare }];
    })
    .map((change, index) => ({ index: index + 1, ...change }));
}

const labelOf = (changes: readonly EdlChange[]): string =>
  changes.map(({ op, target }) => `${op} ${target}`).join(' and ');

function leadsTo(edl: RunEdl, first: string, changes: readonly AppliedChange[], last: string): boolean {
  const applied = applyInOrder(edl, first, changes);
  return 'text' in applied && applied.identity === identityOf(edl, last);
}

/** The text with all of the changes, one after the other; or the first that does not apply, and why. */
export function applyInOrder(
  edl: RunEdl,
  text: string,
  changes: readonly AppliedChange[],
):
  | { readonly text: string; readonly identity: string }
  | { readonly refused: AppliedChange; readonly reason: string } {
  let now = text;
  for (const change of changes) {
    const result = edl.applyChanges(now, change.changes);
    if ('refused' in result) return { refused: change, reason: result.refused.message };
    now = result.text;
  }
  return { text: now, identity: edl.compile(now).environment?.identity ?? '' };
}
