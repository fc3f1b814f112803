import { AppError } from '../../../shared/std/app-error.ts';
import { parsePrompt } from './render-prompt.ts';

/**
 * What is wrong with the text of a prompt file, in words; empty when it is sound. A file says by `{{question}}` that
 * it is for ranking; any other is for generating.
 */
export function checkPromptText(text: string, path = 'prompt'): string[] {
  const mode = /\{\{\s*question\s*\}\}/.test(text) ? 'rank' : 'generate';
  try {
    parsePrompt(path, text, mode);
    return [];
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'prompt.invalid') return [thrown.message];
    throw thrown;
  }
}
