import { findCall } from '../../shared/contract/contract.ts';
import { filesIn, type NamedFile } from '../../shared/contract/file-argument.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { isWithin } from '../workspace/index.ts';
import type { Served } from './serve-channel.ts';

function isAllowed(root: string, { path, place }: NamedFile): boolean {
  return (place === 'model' && /\.gguf$/i.test(path)) || isWithin(root, path);
}

function requireAllowed(root: string, call: string, file: NamedFile): void {
  if (isAllowed(root, file)) return;
  const { path } = file;
  throw new AppError(
    'input.invalid',
    `${call}: ${path.replaceAll('\0', '\\0')} is not in the workspace; put the file there, or use the command line`,
    { data: { path } },
  );
}

/**
 * For callers who are not the user's own processes: refuses, with input.invalid, calls that name a file outside the workspace,
 * by what the contract says of its arguments; models may lie anywhere. A terminal that hands its work to the engine over the
 * private socket may name any file.
 */
export function confinePaths(served: Served, root: string): Served {
  return {
    ...served,
    async dispatch(call, args) {
      // A study that is resumed is read from the store, wherever its file lay.
      const isResumed =
        call === 'runs.start' && typeof (args as { resume?: unknown } | null)?.resume === 'string';
      try {
        const spec = isResumed ? null : findCall(call);
        for (const file of spec === null ? [] : filesIn(spec.args, args)) requireAllowed(root, call, file);
      } catch (thrown) {
        return { ok: false, error: AppError.from(thrown).toPayload() };
      }
      return served.dispatch(call, args);
    },
  };
}
