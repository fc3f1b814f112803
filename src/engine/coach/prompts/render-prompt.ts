import { sha256 } from '../../files/index.ts';
import type { SnapshotText } from '../snapshot/describe-snapshot.ts';
import { checkVariables, parseTemplate, renderTemplate, type TemplateValues } from './template.ts';

const snapshotVariables: readonly (keyof SnapshotText)[] = [
  'mission',
  'objective',
  'progress',
  'issues',
  'agents',
  'components',
  'metrics',
  'declarations',
  'capabilities',
  'past',
];

export const promptVariables = {
  rank: [...snapshotVariables, 'snapshot', 'question', 'options'],
  generate: [...snapshotVariables, 'snapshot', 'environment', 'maxChanges', 'rejections'],
} as const;

const requiredVariables = { rank: ['question', 'options'], generate: ['environment'] } as const;

/** A checked prompt file. */
export interface Prompt {
  readonly path: string;
  readonly hash: string;
  render(values: TemplateValues): string;
}

/** Parses and checks a prompt file. Throws prompt.invalid with path and line. */
export function parsePrompt(path: string, text: string, mode: 'rank' | 'generate'): Prompt {
  const template = parseTemplate(path, text);
  checkVariables(template, promptVariables[mode], requiredVariables[mode]);
  return {
    path,
    hash: sha256(text),
    render: (values) => renderTemplate(template, values),
  };
}
