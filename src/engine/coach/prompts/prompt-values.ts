import { textLimits } from '../providers/answer-limits.ts';
import type { SnapshotText } from '../snapshot/describe-snapshot.ts';
import { type FittedValues, fitPrompt } from './fit-prompt.ts';
import type { Prompt } from './render-prompt.ts';
import type { TemplateValues } from './template.ts';

/** What prompts of both modes tell. */
export interface PromptFacts {
  readonly text: SnapshotText;
  /** Lines about edits of other studies; empty for none. */
  readonly examples: string;
}

/** Tokens that a ranking prompt should have at most, question and options included: small models lose what is far away. */
export const rankingTokens = 600;

/** Of them for question and options: eight lines, and what was chosen before. */
const questionTokens = 150;

/** Left free for the reasons of a refusal, which come with the second attempt. */
const rejectionTokens = 400;

/** Left free for what chat formats put around a prompt. */
const chatTokens = 64;

/** Values of a ranking prompt but for question and options, such that it fits. The same at all of its stages. */
export function rankingValues(prompt: Prompt, facts: PromptFacts, contextLength: number): FittedValues {
  const values = { ...shared(facts), question: '', options: '' };
  const limit = contextLength - questionTokens - chatTokens;
  return fitPrompt(prompt, values, { target: rankingTokens - questionTokens, limit });
}

/** Values of a generating prompt but for the reasons of a refusal, such that it fits together with its answer. */
export function generatingValues(
  prompt: Prompt,
  facts: PromptFacts & { readonly environment: string },
  { contextLength, answerTokens }: { readonly contextLength: number; readonly answerTokens: number },
): FittedValues {
  const { environment } = facts;
  const values = { ...shared(facts), environment, maxChanges: String(textLimits.changes), rejections: '' };
  const limit = contextLength - answerTokens - rejectionTokens - chatTokens;
  return fitPrompt(prompt, values, { target: limit, limit });
}

function shared({ text, examples }: PromptFacts): TemplateValues {
  const isTried = [text.works, text.failures, text.undecided].some((section) => section !== '');
  return { ...text, examples, tried: isTried, snapshot: true, cut: '' };
}
