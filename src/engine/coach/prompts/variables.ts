/** What a prompt file is for: choosing among listed edits, or writing EDL. */
export type PromptMode = 'rank' | 'generate';

/** A variable of prompt files. */
export interface PromptVariable {
  readonly name: string;
  /** text: one line or a text as it is; list: lines that begin with "- "; flag: for sections only. */
  readonly type: 'text' | 'list' | 'flag';
  /** May be empty, so that a section around it falls away. */
  readonly isOptional: boolean;
  readonly modes: readonly PromptMode[];
  /** A file of these modes cannot do without it. */
  readonly requiredBy: readonly PromptMode[];
  readonly meaning: string;
}

const both: readonly PromptMode[] = ['rank', 'generate'];

function variable(
  name: string,
  type: PromptVariable['type'],
  meaning: string,
  options: Partial<Pick<PromptVariable, 'isOptional' | 'modes' | 'requiredBy'>> = {},
): PromptVariable {
  return { name, type, isOptional: false, modes: both, requiredBy: [], meaning, ...options };
}

const optional = { isOptional: true } as const;

/** Every variable that a prompt file may use. The table of docs/coach/prompts.md is made from it. */
export const promptVariables: readonly PromptVariable[] = [
  variable('snapshot', 'flag', 'whether the snapshot is shown: a ranking prompt is scored without it, too'),
  variable('mission', 'text', 'what the environment is for, in the words of its text'),
  variable('objective', 'text', 'metric, direction, where it stands, and its checkpoints'),
  variable('progress', 'text', "round, budget spent, the curriculum's stage, why the coach is asked"),
  variable('issues', 'list', 'declared issues that fire, with their evidence'),
  variable(
    'findings',
    'list',
    'what the figures say in words: success next to never, a component that is flat or dominant, starts sometimes solved, repeated proposals',
    optional,
  ),
  variable('agents', 'list', 'per agent: group, sets, metrics, reward by component'),
  variable('policies', 'list', 'per group that learns: entropy, value error, what it chooses'),
  variable('components', 'list', 'reward components with purpose, trend and share'),
  variable('metrics', 'list', 'metrics with unit, direction and trend'),
  variable(
    'declarations',
    'list',
    'the environment in force, one declaration a line, with how often it fired',
  ),
  variable(
    'capabilities',
    'list',
    'sets, attributes, signals, events, behaviours and parameters that a coach may use',
  ),
  variable('past', 'list', 'all earlier edits of the run, oldest first, with what became of them'),
  variable('tried', 'flag', 'whether there are earlier edits, or failures'),
  variable('works', 'list', 'earlier edits that are in force and measurably helped', optional),
  variable(
    'failures',
    'list',
    'what failed, by kind (compile, validation, dull, training), the last ones first',
    optional,
  ),
  variable('undecided', 'list', 'earlier edits that are neither of the two', optional),
  variable(
    'examples',
    'list',
    'accepted edits of other studies that measurably helped, the most similar situation first (`memory.examples`)',
    optional,
  ),
  variable('cut', 'text', 'what was left out so that the prompt fits', optional),
  variable('question', 'text', 'what is to be chosen', { modes: ['rank'], requiredBy: ['rank'] }),
  variable('options', 'list', 'the edits to choose from', { modes: ['rank'], requiredBy: ['rank'] }),
  variable('environment', 'text', 'the EDL text in force', { modes: ['generate'], requiredBy: ['generate'] }),
  variable('maxChanges', 'text', 'changes that one answer may hold', { modes: ['generate'] }),
  variable('rejections', 'list', 'why the last answer was refused', {
    modes: ['generate'],
    isOptional: true,
  }),
];

/** Names of the variables that a file of this mode may use, or has to. */
export function variableNames(mode: PromptMode, which: 'modes' | 'requiredBy' = 'modes'): string[] {
  return promptVariables.filter((each) => each[which].includes(mode)).map(({ name }) => name);
}

/** The table of the documentation, as Markdown. */
export function tabulateVariables(): string {
  const rows = promptVariables.map(({ name, type, isOptional, modes, requiredBy, meaning }) => {
    const use = modes.map((mode) => (requiredBy.includes(mode) ? `${mode} (required)` : mode)).join(', ');
    return `| \`${name}\` | ${type}${isOptional ? ', may be empty' : ''} | ${use} | ${meaning} |`;
  });
  return ['| variable | type | prompts | what it is |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
