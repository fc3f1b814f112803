import { AppError } from '../../../shared/std/app-error.ts';
import { assertNever } from '../../../shared/std/assert-never.ts';
import { parsePrompt } from '../prompts/render-prompt.ts';
import { createGenerateProvider, heldByGrammar } from './generate-provider.ts';
import { heldBySchema } from './http/answer-schema.ts';
import { openHttpModel } from './http/http-model.ts';
import { createLearnedProvider } from './learned-provider.ts';
import { openRecordedModel } from './open-recorded-model.ts';
import type { Provider, ProviderRequest } from './provider.ts';
import { createRandomProvider } from './random-provider.ts';
import { createRankProvider } from './rank-provider.ts';
import { RecordedModel } from './recorded-model.ts';
import { createReplayProvider } from './replay-provider.ts';
import { createRulesProvider } from './rules-provider.ts';

/** The provider that an arm's coach block names. Throws: input.invalid, prompt.invalid, experiment.invalid, model.*, modelHost.died. */
export async function createProvider(request: ProviderRequest): Promise<Provider> {
  const { provider } = request.context.config;
  switch (provider) {
    case 'rules':
      return createRulesProvider(request);
    case 'random':
      return createRandomProvider(request);
    case 'replay':
      return createReplayProvider(request);
    case 'llama':
      return createLlamaProvider(request);
    case 'http':
      return createHttpProvider(request);
    case 'learned':
      return createLearnedProvider(request);
    case 'none':
      throw new AppError('input.invalid', 'this arm has no coach: name a provider in its coach block');
    default:
      return assertNever(provider);
  }
}

async function createLlamaProvider(request: ProviderRequest): Promise<Provider> {
  const { context } = request;
  const { config } = context;
  const model = await openRecordedModel(request);
  const mode = config.proposing === 'auto' ? model.identity.mode : config.proposing;
  const file = context.prompts.read(config.prompt, mode);
  const prompt = parsePrompt(file.path, file.text, mode);
  return mode === 'rank'
    ? createRankProvider(request, model, prompt)
    : createGenerateProvider(request, model, prompt, heldByGrammar);
}

/** A model behind an endpoint writes; probabilities of given texts, which ranking needs, are not to be had there. */
function createHttpProvider(request: ProviderRequest): Provider {
  const { deps, context } = request;
  const { identity, service } = openHttpModel(context.config);
  const file = context.prompts.read(context.config.prompt, 'generate');
  const prompt = parsePrompt(file.path, file.text, 'generate');
  return createGenerateProvider(
    request,
    new RecordedModel(identity, service, deps.store),
    prompt,
    heldBySchema,
  );
}
