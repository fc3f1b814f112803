import { resolve } from 'node:path';
import { inspectModel, type ModelHost, testModel } from '../coach/index.ts';
import type { ModelService } from './handlers/context.ts';

/** Model files and host behind the contract; relative paths are taken from `folder`. */
export function composeModels(folder: string, host: ModelHost): ModelService {
  return {
    inspect: ({ path, contextTokens }) =>
      inspectModel(resolve(folder, path), undefined, contextTokens ?? null),
    test: ({ path, prompt }) => testModel(host, resolve(folder, path), prompt),
    status: () => host.status,
  };
}
