import { AppError } from '../../../../shared/std/app-error.ts';
import { sha256 } from '../../../files/index.ts';
import type { CoachConfig } from '../../config.ts';
import type { AnsweringService, ModelIdentity } from '../../types.ts';
import { askEndpoint } from './ask-endpoint.ts';
import { findEndpoint } from './endpoint-url.ts';

/**
 * The model behind the endpoint that a coach block names. Nothing is asked, and no key read, until somebody wants an answer that is
 * not on record.
 *
 * Throws: input.invalid.
 */
export function openHttpModel({ model, http }: Pick<CoachConfig, 'model' | 'http'>): {
  readonly identity: ModelIdentity;
  readonly service: AnsweringService;
} {
  if (model === null || http === undefined || http.url === null) {
    throw new AppError(
      'input.invalid',
      'provider http needs `model`, the name of a model, and `http.url`, the address that it is asked at',
    );
  }
  const { url, timeout, context } = http;
  return {
    // Whose weights answer cannot be known: the hash stands for the name at that address.
    identity: {
      path: url,
      name: model,
      sha256: sha256(`${url} ${model}`),
      parameters: null,
      mode: 'generate',
      contextLength: context,
    },
    service: {
      generate: (request, signal = new AbortController().signal) =>
        askEndpoint(findEndpoint(http), request, { model, timeoutMs: timeout * 1000, signal }),
      score: () =>
        Promise.reject(
          new AppError(
            'input.invalid',
            'an endpoint tells no probabilities of given texts: ranking needs provider llama',
          ),
        ),
    },
  };
}
