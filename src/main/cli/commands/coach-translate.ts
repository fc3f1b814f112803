import type { Command } from 'commander';
import type { TranslationView } from '../../../shared/contract/coach-translate.ts';
import type { CommandContext, RunAction } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { addWorkspaceOptions, type WorkspaceOption } from '../options.ts';
import { readText } from '../read-text.ts';
import { resolvePath } from '../resolve-path.ts';
import { withSession } from '../sessions.ts';
import { formatTable } from '../text-table.ts';
import { findExistingWorkspace } from '../workspace-folder.ts';

interface TranslateOptions extends WorkspaceOption {
  readonly table?: string;
}

function formatTranslation({ value, terms, unknown, table }: TranslationView): string {
  const rows = terms.map(({ term, by, value: worth }) => [[...by, term].join(' '), String(worth)]);
  return [
    value === null ? 'no term of the table is in it: there is no value' : `value ${value}`,
    ...(rows.length === 0 ? [] : ['', formatTable(['term', 'counts'], rows)]),
    ...(unknown.length === 0 ? [] : ['', `not in the table, counted nothing: ${unknown.join(', ')}`]),
    '',
    `table: ${table}`,
  ].join('\n');
}

function translate(
  file: string,
  options: TranslateOptions,
  { output, sessions }: CommandContext,
): Promise<ExitCode> {
  const text = readText(file);
  const root = findExistingWorkspace(options.workspace);
  return withSession(sessions.openReader(root), async ({ client }): Promise<ExitCode> => {
    const answer = await client.coach.translate({
      text,
      ...(options.table !== undefined && { table: resolvePath(options.table) }),
    });
    output.answer(answer, () => formatTranslation(answer));
    return answer.value === null ? 1 : 0;
  });
}

export function addCoachTranslateCommand(coach: Command, run: RunAction): void {
  addWorkspaceOptions(
    coach
      .command('translate')
      .description('a judgement in words as a number, by a table of terms that you can edit')
      .argument('<file>', 'text file with the judgement; - reads standard input')
      .option(
        '--table <file>',
        "table of terms (default: the workspace's judgements/terms.yaml, else the shipped one)",
      ),
  ).action((file: string, options: TranslateOptions) =>
    run(options, (context) => translate(file, options, context)),
  );
}
