import { AppError } from '../../../shared/std/app-error.ts';
import type { CoachConfig } from '../config.ts';
import type { CoachDependencies, ModelIdentity, ModelService, RoundContext } from '../types.ts';
import { askAgain } from './recorded-model.ts';

/** What opening a model takes of a question. */
export interface ModelQuestion {
  readonly deps: Pick<CoachDependencies, 'models'>;
  readonly context: Pick<RoundContext, 'runId'> & { readonly config: Pick<CoachConfig, 'model' | 'llama'> };
  readonly signal: AbortSignal;
}

/** Loads the model that a coach block names, at the run's own place in the host's line. Throws: input.invalid, model.*, modelHost.died. */
export async function openModel({ deps, context, signal }: ModelQuestion): Promise<{
  readonly identity: ModelIdentity;
  readonly service: ModelService;
}> {
  const { model: path, llama } = context.config;
  if (path === null) {
    throw new AppError(
      'input.invalid',
      'provider llama needs a model: set `model` in the coach block to a GGUF file',
    );
  }
  if (deps.models === null) throw new AppError('input.invalid', 'no model host is available here');
  const service = deps.models.client(context.runId);
  return { identity: await askAgain(() => service.load(path, signal, llama)), service };
}
