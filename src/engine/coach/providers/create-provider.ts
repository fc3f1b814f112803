import { AppError } from '../../../shared/std/app-error.ts';
import { assertNever } from '../../../shared/std/assert-never.ts';
import { parsePrompt } from '../prompts/render-prompt.ts';
import { createGenerateProvider } from './generate-provider.ts';
import type { Provider, ProviderRequest } from './provider.ts';
import { createRandomProvider } from './random-provider.ts';
import { createRankProvider } from './rank-provider.ts';
import { askAgain, RecordedModel } from './recorded-model.ts';
import { createReplayProvider } from './replay-provider.ts';
import { createRulesProvider } from './rules-provider.ts';

/** The provider that an arm's coach block names. Throws: input.invalid, prompt.invalid, model.*, modelHost.died. */
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
    case 'none':
      throw new AppError('input.invalid', 'this arm has no coach: name a provider in its coach block');
    default:
      return assertNever(provider);
  }
}

async function createLlamaProvider(request: ProviderRequest): Promise<Provider> {
  const { deps, context, signal } = request;
  const { config } = context;
  if (config.model === null) {
    throw new AppError(
      'input.invalid',
      'provider llama needs a model: set `model` in the coach block to a GGUF file',
    );
  }
  if (deps.models === null) throw new AppError('input.invalid', 'no model host is available here');
  const service = deps.models.client(context.runId);
  const path = config.model;
  const identity = await askAgain(() => service.load(path, signal));
  const model = new RecordedModel(identity, service, deps.store);
  const mode = config.proposing === 'auto' ? identity.mode : config.proposing;
  const file = deps.prompts.read(config.prompt, mode);
  const prompt = parsePrompt(file.path, file.text, mode);
  return mode === 'rank'
    ? createRankProvider(request, model, prompt)
    : createGenerateProvider(request, model, prompt);
}
