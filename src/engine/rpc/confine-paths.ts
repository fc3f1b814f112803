import { AppError } from '../../shared/std/app-error.ts';
import { isWithin } from '../workspace/index.ts';
import type { Served } from './serve-channel.ts';

/**
 * The arguments that name files the engine reads on a caller's behalf. Model files are not among them: they lie anywhere, and
 * only what their header says comes back.
 */
const pathArguments: Readonly<Record<string, readonly string[]>> = {
  'runs.start': ['experimentPath'],
  'coach.propose': ['environment', 'experiment'],
  'coach.probe': ['experiment'],
  'coach.translate': ['table'],
  'policies.evaluate': ['environment', 'policies'],
  'policies.import': ['environment', 'file'],
  'simulator.frames': ['policies'],
};

function pathsIn(call: string, args: unknown): string[] {
  if (typeof args !== 'object' || args === null) return [];
  const names = Object.hasOwn(pathArguments, call) ? (pathArguments[call] ?? []) : [];
  const values = names.map((name) => (args as Record<string, unknown>)[name]);
  return values.flat().filter((value) => typeof value === 'string');
}

function requireInside(root: string, call: string, path: string): void {
  if (isWithin(root, path)) return;
  throw new AppError(
    'input.invalid',
    `${call}: ${path.replaceAll('\0', '\\0')} is not in the workspace; put the file there, or use the command line`,
    { data: { path } },
  );
}

/**
 * For callers who are not the user's own processes: refuses, with input.invalid, calls that name a file outside the workspace.
 * A terminal that hands its work to the engine over the private socket may name any file.
 */
export function confinePaths(served: Served, root: string): Served {
  return {
    ...served,
    async dispatch(call, args) {
      // A study that is resumed is read from the store, wherever its file lay.
      const isResumed =
        call === 'runs.start' && typeof (args as { resume?: unknown } | null)?.resume === 'string';
      try {
        if (!isResumed) for (const path of pathsIn(call, args)) requireInside(root, call, path);
      } catch (thrown) {
        return { ok: false, error: AppError.from(thrown).toPayload() };
      }
      return served.dispatch(call, args);
    },
  };
}
