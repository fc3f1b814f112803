import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError } from '../../shared/std/app-error.ts';
import { fileError, readUtf8 } from '../files/index.ts';
import { isWithin } from '../workspace/index.ts';
import type { ExperimentHost } from './experiment-types.ts';
import type { SupervisorOptions } from './services.ts';

/** A file an experiment was checked with, so that the study can keep its text. */
export type ReadTexts = Map<string, string>;

type HostOptions = Pick<SupervisorOptions, 'edl' | 'learners' | 'checkPrompt'> &
  Pick<ExperimentHost, 'inheritance'>;

/** An experiment's view of a workspace folder; every text it reads is noted in `read`. */
export function createExperimentHost(
  root: string,
  options: HostOptions,
  read: ReadTexts = new Map(),
): ExperimentHost {
  return createHost(options, {
    exists: (path) => existsSync(resolve(root, path)),
    readText: (path) => {
      const text = readWorkspaceText(root, path);
      if (text !== null) read.set(path, text);
      return text;
    },
  });
}

/**
 * The same view from texts on record: a study is taken up with the files it was started with. Models are not on record: `root`
 * is where they lie; null: nobody will ask them, and none is looked for.
 */
export function createRecordedHost(
  root: string | null,
  options: HostOptions,
  readText: (path: string) => string | null,
): ExperimentHost {
  const files = { readText, exists: (path: string) => root === null || existsSync(resolve(root, path)) };
  return { ...createHost(options, files), isUnderway: true };
}

function createHost(
  options: HostOptions,
  files: Pick<ExperimentHost, 'readText' | 'exists'>,
): ExperimentHost {
  const { edl, learners, checkPrompt, inheritance } = options;
  return {
    ...files,
    scenarios: () => edl.scenarios(),
    edl,
    learners,
    ...(checkPrompt !== undefined && { checkPrompt }),
    ...(inheritance !== undefined && { inheritance }),
  };
}

/** Null when there is none. Throws: input.invalid when it is not UTF-8, or lies elsewhere and is only linked to. */
function readWorkspaceText(root: string, path: string): string | null {
  const absolute = resolve(root, path);
  if (isAbsolute(path) || relative(root, absolute).split(sep)[0] === '..') return null;
  if (!isWithin(root, path)) {
    const message = `"${path}" leads out of the workspace by a link: put the file itself there`;
    throw new AppError('input.invalid', message, { data: { path } });
  }
  try {
    return readUtf8(absolute, path);
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw fileError(thrown, 'read', path);
  }
}

/** The experiment file itself, and its path relative to the workspace. Throws: workspace.notFound, workspace.unreadable. */
export function readExperimentFile(root: string, path: string): { text: string; path: string } {
  const absolute = resolve(root, path);
  const shown = relative(root, absolute).startsWith('..')
    ? absolute
    : relative(root, absolute).replaceAll(sep, '/');
  try {
    return { text: readUtf8(absolute, absolute), path: shown };
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new AppError(
        'workspace.notFound',
        `there is no experiment file ${absolute}. Experiments lie in ${join(root, 'experiments')}; \`gymwright init\` writes a sample.`,
      );
    }
    throw fileError(thrown, 'read', absolute);
  }
}
