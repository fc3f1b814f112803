import { AppError } from '../../../shared/std/app-error.ts';
import { tellExamples } from '../prompts/few-shots.ts';
import { generatingValues } from '../prompts/prompt-values.ts';
import type { Prompt } from '../prompts/render-prompt.ts';
import { seedFor } from '../seeded-random.ts';
import type { GenerateRequest } from '../types.ts';
import { type AnswerGrammar, answerGrammar } from './answer-grammar.ts';
import type { Provider, ProviderRequest } from './provider.ts';
import type { RecordedModel } from './recorded-model.ts';

/** What holds a model to the form of an answer. */
export interface AnswerForm {
  readonly name: 'llama' | 'http';
  /** What a request asks for beside its prompt. */
  hold(grammar: AnswerGrammar): Pick<GenerateRequest, 'grammar' | 'schema'>;
  /** The JSON in what the model wrote. */
  unwrap(text: string): string;
}

/** The decoder cannot write anything else. */
export const heldByGrammar: AnswerForm = {
  name: 'llama',
  hold: ({ gbnf }) => ({ grammar: gbnf }),
  unwrap: (text) => text,
};

/** A larger model writes the whole proposal, held to its form by what `form` says. Seeds: the run's seed, round, candidate. */
export function createGenerateProvider(
  request: ProviderRequest,
  model: RecordedModel,
  prompt: Prompt,
  form: AnswerForm,
): Provider {
  const { context, snapshot, text, deps, signal } = request;
  const metrics = new Set([context.objective.metric, ...snapshot.metrics.map(({ name }) => name)]);
  const grammar = answerGrammar(context.environment, [...metrics], context.config.may);
  const examples = tellExamples(context, snapshot, deps.store, 'generate');
  const { values, cuts } = generatingValues(
    prompt,
    { text, examples, environment: context.text },
    { contextLength: model.identity.contextLength, answerTokens: grammar.maxTokens },
  );
  const render = (rejections: readonly string[]): string =>
    prompt.render({ ...values, rejections: rejections.map((reason) => `- ${reason}`).join('\n') });
  return {
    name: form.name,
    model: model.identity.name,
    prompt: { fileHash: prompt.hash, rendered: render([]), cuts },
    maxAnswers: context.config.candidates,
    canRepair: true,
    async propose({ proposalId, candidate, rejections }) {
      const attempt = rejections.length === 0 ? 0 : 1;
      const answer = await model.generate(
        {
          prompt: render(rejections),
          ...form.hold(grammar),
          temperature: context.config.temperature,
          seed: seedFor('generate', context.seed, context.round, candidate, attempt),
          maxTokens: grammar.maxTokens,
        },
        { runId: context.runId, proposalId, now: deps.now, signal },
      );
      if (answer.stopReason === 'maxTokens') {
        const message = `the answer was cut off after ${answer.outputTokens} tokens; nothing of it is used. Shorten the prompt or try another model.`;
        throw new AppError('model.truncated', message, { data: { text: answer.text.slice(-200) } });
      }
      return { raw: form.unwrap(answer.text), isComposed: false, enumerated: null };
    },
  };
}
