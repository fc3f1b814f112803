import type { ProposalBody } from '../../../shared/contract/coach.ts';
import type { EnumeratedEdit } from '../enumerate/enumerate-edits.ts';
import type { ProviderAnswer } from './provider.ts';

/** A proposal whose prose is composed from an edit and a stated reason; nobody wrote it, and it is marked so. */
export function composeAnswer(
  edit: EnumeratedEdit,
  analysis: string,
  enumerated: number,
  why?: string,
): ProviderAnswer {
  const { change, also = [] } = edit;
  const expected_impact = why === undefined ? change.expected_impact : { ...change.expected_impact, why };
  const body: ProposalBody = { analysis, changes: [{ ...change, expected_impact }, ...also], wishes: [] };
  return { raw: JSON.stringify(body), isComposed: true, enumerated };
}
