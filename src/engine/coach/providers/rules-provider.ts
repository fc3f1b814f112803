import { AppError } from '../../../shared/std/app-error.ts';
import { composeAnswer } from './compose-body.ts';
import type { Provider, ProviderAnswer, ProviderRequest } from './provider.ts';
import { type Advice, applyRules } from './rule-table.ts';
import { firstPassing, secondChoice } from './second-attempt.ts';

/** The rule coach: an expert's table from findings to edits (docs/coach/rules.md). No model takes part. */
export async function createRulesProvider({ context, snapshot, edits }: ProviderRequest): Promise<Provider> {
  const all = await edits();
  const advised = applyRules(snapshot, all);
  const compose = ({ rule, finding, edit }: Advice, after = ''): ProviderAnswer =>
    composeAnswer(edit, `${rule}: ${finding}${after}`, all.length, finding);
  return {
    name: 'rules',
    model: null,
    prompt: null,
    maxAnswers: Math.max(1, advised.length),
    canRepair: advised.length > context.config.candidates,
    async propose(slot) {
      if (slot.rejections.length > 0) {
        const next = new Map(advised.slice(context.config.candidates).map((each) => [each.edit, each]));
        return firstPassing(next.keys(), slot, (edit) =>
          compose(next.get(edit) as Advice, `. ${secondChoice}`),
        );
      }
      const advice = advised[slot.candidate];
      if (advice === undefined) {
        throw new AppError(
          'input.notFound',
          'no rule of the rule coach applies to this snapshot; docs/coach/rules.md lists them',
        );
      }
      return compose(advice);
    },
  };
}
