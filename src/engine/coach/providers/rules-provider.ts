import { AppError } from '../../../shared/std/app-error.ts';
import { composeAnswer } from './compose-body.ts';
import type { AnswerSlot, Provider, ProviderAnswer, ProviderRequest } from './provider.ts';
import { type Advice, applyRules } from './rule-table.ts';
import { firstPassing, secondChoice } from './second-attempt.ts';

/** The rule coach: an expert's table from findings to edits (docs/coach/rules.md). No model takes part. */
export async function createRulesProvider({ context, snapshot, edits }: ProviderRequest): Promise<Provider> {
  const all = await edits();
  const advised = applyRules(snapshot, all);
  const compose = ({ rule, finding, edit }: Advice, after = ''): ProviderAnswer =>
    composeAnswer(edit, `${rule}: ${finding}${after}`, all.length, finding);
  const toCome = ({ candidate }: AnswerSlot): number => context.config.candidates - 1 - candidate;
  return {
    name: 'rules',
    model: null,
    prompt: null,
    maxAnswers: Math.max(1, advised.length),
    canRepair: advised.length > context.config.candidates,
    async propose(slot) {
      if (slot.rejections.length > 0) {
        const open = advised.filter(({ edit }) => !slot.closed.has(edit.identity));
        // The candidates after this one have the first choice.
        const next = new Map(open.slice(toCome(slot)).map((each) => [each.edit, each]));
        return firstPassing(next.keys(), slot, (edit) =>
          compose(next.get(edit) as Advice, `. ${secondChoice}`),
        );
      }
      const advice = advised.find(({ edit }) => !slot.taken.has(edit.identity));
      if (advice === undefined) {
        throw new AppError(
          'coach.noProposal',
          'no rule of the rule coach applies to this snapshot; docs/coach/rules.md lists them',
        );
      }
      return compose(advice);
    },
  };
}
