import type { DomainHandlers } from '../../../shared/contract/define.ts';
import type { models } from '../../../shared/contract/models.ts';
import type { HandlerContext } from './context.ts';

export function createModelsHandlers(
  context: Pick<HandlerContext, 'files' | 'models'>,
): DomainHandlers<typeof models> {
  const listModels = () =>
    context.files
      .list()
      .filter((entry) => entry.kind === 'model')
      .map(({ path, size }) => ({ path, sizeBytes: size }));
  return { ...context.models, list: listModels };
}
