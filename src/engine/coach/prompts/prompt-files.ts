import { isAbsolute, join } from 'node:path';
import { AppError } from '../../../shared/std/app-error.ts';
import { fileError, findResources, readUtf8 } from '../../files/index.ts';
import type { PromptSource } from '../types.ts';
import type { PromptMode } from './variables.ts';

/** Two sets: for small models, which choose, and for large ones, which write. */
const shippedNames = { rank: 'small/rank.md', generate: 'large/generate.md' } as const;
const maxPromptBytes = 200_000;

/** What a shipped prompt is called. */
export function shippedPath(mode: PromptMode): string {
  return `prompts/${shippedNames[mode]}`;
}

/** Prompt files of a workspace, with the shipped ones as default. */
export function openPrompts(workspaceRoot: string, resourcesFolder = shippedFolder()): PromptSource {
  return {
    read(path, mode) {
      const file = path ?? join(resourcesFolder, 'prompts', shippedNames[mode]);
      return {
        path: path ?? shippedPath(mode),
        text: readPrompt(isAbsolute(file) ? file : join(workspaceRoot, file)),
      };
    },
  };
}

function readPrompt(file: string): string {
  let text: string;
  try {
    text = readUtf8(file, file);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const { message } = fileError(cause, 'read', `the prompt file ${file}`);
    throw new AppError('prompt.invalid', message, { cause, data: { path: file } });
  }
  if (text.length > maxPromptBytes) {
    throw new AppError(
      'prompt.invalid',
      `the prompt file ${file} has ${text.length} characters; at most ${maxPromptBytes} are read`,
    );
  }
  if (text.includes('\0'))
    throw new AppError('prompt.invalid', `${file} is not a text file`, { data: { path: file } });
  return text;
}

function shippedFolder(): string {
  const found = findResources(join('prompts', shippedNames.rank));
  if (found !== null) return found;
  throw new AppError(
    'prompt.invalid',
    'the shipped prompts are missing: resources/prompts is not beside this build',
  );
}
