import type { Command } from 'commander';
import { asTyped } from '../command-name.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { findStudy } from '../find-by-id.ts';
import { addWorkspaceOptions, realNumber, type WorkspaceOption } from '../options.ts';
import { formatReports } from '../report-markdown.ts';
import { withSession } from '../sessions.ts';
import { findExistingWorkspace } from '../workspace-folder.ts';
import { isStandardOutput, writeOutputFile } from '../write-file.ts';

interface ReportOptions extends WorkspaceOption {
  readonly threshold?: number;
  readonly out?: string;
}

function report(
  ids: readonly string[],
  { workspace, threshold, out }: ReportOptions,
  { output, sessions }: CommandContext,
): Promise<void> {
  return withSession(sessions.openReader(findExistingWorkspace(workspace)), async ({ client }) => {
    const all = await client.runs.list({});
    const studyIds = ids.map((id) => findStudy(all, id).studyId);
    const found = await client.runs.report({
      studyIds,
      ...(threshold === undefined ? {} : { threshold }),
    });
    const inWords = (): string => asTyped(formatReports(found));
    if (isStandardOutput(out)) return output.answer(found, inWords);
    writeOutputFile(out, output.isJson ? `${JSON.stringify(found, null, 2)}\n` : `${inWords()}\n`);
    output.note(`wrote the report of ${studyIds.join(', ')} to ${out}`);
  });
}

export function addReportCommand(runs: Command, run: RunAction): void {
  const command = runs
    .command('report')
    .description('what changing the environment did, as Markdown; with --json as data')
    .argument('<studies...>', 'ids, or the starts of them; several are also taken together')
    .option(
      '--threshold <score>',
      "score whose steps are counted (default: the first arm's last)",
      realNumber,
    )
    .option('--out <file>', 'a file instead of stdout');
  addWorkspaceOptions(command).action((ids: string[], options: ReportOptions) =>
    run(options, (context) => report(ids, options, context)),
  );
}
