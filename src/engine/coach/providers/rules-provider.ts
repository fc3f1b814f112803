import { AppError } from '../../../shared/std/app-error.ts';
import { composeAnswer } from './compose-body.ts';
import type { Provider, ProviderRequest } from './provider.ts';
import { applyRules } from './rule-table.ts';

/** The rule coach: an expert's table from findings to edits (docs/coach/rules.md). No model takes part. */
export async function createRulesProvider({ snapshot, edits }: ProviderRequest): Promise<Provider> {
  const all = await edits();
  const advised = applyRules(snapshot, all);
  return {
    name: 'rules',
    model: null,
    prompt: null,
    maxAnswers: Math.max(1, advised.length),
    canRepair: false,
    async propose({ candidate }) {
      const advice = advised[candidate];
      if (advice === undefined) {
        throw new AppError(
          'input.notFound',
          'no rule of the rule coach applies to this snapshot; docs/coach/rules.md lists them',
        );
      }
      return composeAnswer(advice.edit, `${advice.rule}: ${advice.finding}`, all.length, advice.finding);
    },
  };
}
