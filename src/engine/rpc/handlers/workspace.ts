import type { DomainHandlers } from '../../../shared/contract/define.ts';
import type { workspace } from '../../../shared/contract/workspace.ts';
import type { HandlerContext } from './context.ts';

export function createWorkspaceHandlers({
  files,
}: Pick<HandlerContext, 'files'>): DomainHandlers<typeof workspace> {
  return {
    get: () => ({ root: files.root, name: files.name, isReadOnly: files.isReadOnly() }),
    list: () => files.list(),
    read: ({ path }) => files.read(path),
    write: ({ path, text, baseHash }) => files.write(path, text, baseHash),
  };
}
