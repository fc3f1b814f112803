import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../shared/std/app-error.ts';

/** The folder that `--workspace DIR` or `--workspace=DIR` names, absolute; null when the option is absent. Throws input.invalid. */
export function workspaceArgument(args: readonly string[], workingFolder: string): string | null {
  const index = args.findIndex((arg) => arg === '--workspace' || arg.startsWith('--workspace='));
  const option = args[index];
  if (option === undefined) return null;
  const value = option.includes('=') ? option.slice(option.indexOf('=') + 1) : (args[index + 1] ?? '');
  if (value === '' || value.startsWith('--'))
    throw new AppError('input.invalid', '--workspace needs a folder: --workspace DIR');
  return path.resolve(workingFolder, value);
}

export interface WorkspaceSources {
  /** From the command line; wins, and must exist. */
  readonly argument: string | null;
  /** Of the last window. */
  readonly last: string | null;
  /** Where the sample is, or is to be written. */
  readonly sample: string;
  createSample(folder: string): void;
}

/** The workspace to open: the one asked for, else the last one, else the sample. Throws input.notFound. */
export function chooseWorkspace({ argument, last, sample, createSample }: WorkspaceSources): string {
  if (argument !== null) {
    if (isFolder(argument)) return argument;
    throw new AppError(
      'input.notFound',
      `there is no folder ${argument}: make it with \`gymwright init\`, or name another`,
    );
  }
  if (last !== null && isFolder(last)) return last;
  if (!isFolder(sample)) createSample(sample);
  return sample;
}

function isFolder(folder: string): boolean {
  return existsSync(folder) && statSync(folder).isDirectory();
}
