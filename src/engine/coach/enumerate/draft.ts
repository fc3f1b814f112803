import type { ProposedChange } from '../../../shared/contract/coach.ts';
import type { CompiledEnvironment, CompiledStage, DeclarationInfo } from '../../edl/types.ts';
import type { GrantableKind } from '../config.ts';
import { tokenize } from './declaration-text.ts';

export const editKinds = [
  'remove',
  'scale',
  'decay',
  'limit',
  'addReward',
  'set',
  'addRule',
  'addEvent',
  'addConstraint',
  'adjust',
  'curriculum',
] as const;
export type EditKind = (typeof editKinds)[number];

/** An edit before it was compiled: what the stages of a choice call it, and the change itself. */
export interface DraftEdit {
  readonly kind: EditKind;
  /** Which targets of the kind it is one of, where a kind has more than one question can offer. */
  readonly family?: string;
  readonly target: string;
  /** Phrase of the last stage; empty where the target says it all. */
  readonly value: string;
  readonly change: ProposedChange;
  /** What has to change with it. */
  readonly also?: readonly ProposedChange[];
}

/** All changes of an edit, in order. */
export function changesOf({
  change,
  also = [],
}: Pick<DraftEdit, 'change' | 'also'>): readonly ProposedChange[] {
  return [change, ...also];
}

export interface DraftContext {
  readonly environment: CompiledEnvironment;
  readonly objective: {
    readonly metric: string;
    readonly group: string;
    readonly better: 'higher' | 'lower';
  };
  readonly budgetSteps: number;
  /** Kinds that the coach may write. */
  readonly may: readonly GrantableKind[];
  /** Where the curriculum stands. */
  readonly stage: CompiledStage['name'] | null;
}

/** Options of one stage of a choice at most: about what a small model can tell apart. */
export const maxOptions = 8;

type Impact = ProposedChange['expected_impact'];

/** Declarations of a kind, as they stand in the text. */
export function declarationsOf(
  { environment }: Pick<DraftContext, 'environment'>,
  kind: DeclarationInfo['kind'],
): DeclarationInfo[] {
  return environment.declarations.filter((declaration) => declaration.kind === kind);
}

/** The stages of the text, and which of them the curriculum stands at: the first, unless one of the name is there. */
export function currentStage(context: DraftContext): { stages: readonly DeclarationInfo[]; index: number } {
  const stages = declarationsOf(context, 'stage');
  const index = stages.findIndex(({ name }) => name === context.stage);
  return { stages, index: Math.max(0, index) };
}

export function impact({ objective }: DraftContext, size: Impact['size'], why: string): Impact {
  return { metric: objective.metric, direction: objective.better === 'higher' ? 'up' : 'down', size, why };
}

/** The first function or manifest name a declaration uses; the validator checks the hint against the text. */
export function hintOf(declaration: DeclarationInfo): string {
  const known = ['distance', 'count', 'nearest', 'mean', 'sum', 'min', 'max'];
  const words = tokenize(declaration.text).map(({ text }) => text);
  return known.find((name) => words.includes(name)) ?? declaration.name;
}

/** A declaration as prose names it. */
export function describe({ target, doc }: DeclarationInfo): string {
  return doc === '' ? target : `${target} (${doc})`;
}

/** A declaration in other words. */
export function draftModification(
  context: DraftContext,
  declaration: DeclarationInfo,
  edit: {
    kind: EditKind;
    family?: string;
    value: string;
    edl: string;
    description: string;
    size: Impact['size'];
    why: string;
  },
): DraftEdit {
  return {
    kind: edit.kind,
    ...(edit.family !== undefined && { family: edit.family }),
    target: declaration.target,
    value: edit.value,
    change: {
      op: 'modify',
      target: declaration.target,
      edl: edit.edl,
      description: edit.description,
      implementation_hint: hintOf(declaration),
      expected_impact: impact(context, edit.size, edit.why),
    },
  };
}
