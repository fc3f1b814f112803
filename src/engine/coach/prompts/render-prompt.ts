import { sha256 } from '../../files/index.ts';
import {
  checkVariables,
  listVariables,
  parseTemplate,
  renderTemplate,
  type TemplateValues,
} from './template.ts';
import { type PromptMode, variableNames } from './variables.ts';

/** A checked prompt file. */
export interface Prompt {
  readonly path: string;
  readonly hash: string;
  /** Whether a variable stands in it. */
  uses(variable: string): boolean;
  render(values: TemplateValues): string;
}

/** Parses and checks a prompt file. Throws prompt.invalid with path and line. */
export function parsePrompt(path: string, text: string, mode: PromptMode): Prompt {
  const template = parseTemplate(path, text);
  checkVariables(template, variableNames(mode), variableNames(mode, 'requiredBy'));
  const used = listVariables(template);
  return {
    path,
    hash: sha256(text),
    uses: (variable) => used.has(variable),
    render: (values) => renderTemplate(template, values),
  };
}
