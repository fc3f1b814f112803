import type { Command } from 'commander';
import type { RunView, StudyView } from '../../../shared/contract/runs.ts';
import { commandName } from '../command-name.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { findRuns, findStudy } from '../find-by-id.ts';
import { addWorkspaceOptions, type WorkspaceOption } from '../options.ts';
import { formatProposals } from '../proposal-text.ts';
import { formatCsv, readSeries } from '../series-export.ts';
import { withSession } from '../sessions.ts';
import { formatStudy } from '../study-table.ts';
import { formatFigure, formatTable } from '../text-table.ts';
import { findExistingWorkspace } from '../workspace-folder.ts';
import { isStandardOutput, writeOutputFile } from '../write-file.ts';
import { addAblateCommand } from './runs-ablate.ts';
import { addReportCommand } from './runs-report.ts';

interface ExportOptions extends WorkspaceOption {
  readonly format: 'csv' | 'json';
  readonly key?: string[];
  readonly out?: string;
}

const formatTime = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

function formatRuns(runs: readonly RunView[]): string {
  const rows = runs.map((run) => [
    run.runId,
    run.arm,
    String(run.seed),
    run.state,
    `${Math.floor((100 * run.step) / Math.max(1, run.totalSteps))}%`,
    String(run.step),
    String(run.ownSteps),
    formatFigure(run.objective),
    run.parameterHash?.slice(0, 12) ?? '–',
  ]);
  return formatTable(
    ['run', 'arm', 'seed', 'state', 'done', 'charged steps', 'own steps', 'objective', 'parameters'],
    rows,
  );
}

function formatStudies(studies: readonly StudyView[]): string {
  if (studies.length === 0) return `No studies yet. Start one: ${commandName()} run FILE`;
  const rows = studies.map(({ studyId, name, state, createdAt, runs }) => [
    studyId,
    name,
    state,
    formatTime(createdAt),
    [...new Set(runs.map(({ arm }) => arm))].join(', '),
    String(runs.length),
  ]);
  return formatTable(['study', 'name', 'state', 'started (UTC)', 'arms', 'runs'], rows);
}

const openReader = (options: WorkspaceOption, { sessions }: CommandContext) =>
  sessions.openReader(findExistingWorkspace(options.workspace));

function list(options: WorkspaceOption, context: CommandContext): Promise<void> {
  return withSession(openReader(options, context), async ({ client }) => {
    const studies = await client.runs.list({});
    context.output.answer(studies, () => formatStudies(studies));
  });
}

function show(id: string, options: WorkspaceOption, context: CommandContext): Promise<void> {
  return withSession(openReader(options, context), async ({ client }) => {
    const study = findStudy(await client.runs.list({}), id);
    const proposals = await client.coach.list({ studyId: study.studyId });
    context.output.answer({ ...study, proposals }, () =>
      [formatStudy(study, proposals), formatRuns(study.runs), formatProposals(proposals)].join('\n\n'),
    );
  });
}

function compare(
  ids: readonly string[],
  options: WorkspaceOption & { readonly all?: true },
  context: CommandContext,
): Promise<void> {
  return withSession(openReader(options, context), async ({ client }) => {
    const runs = findRuns(await client.runs.list({}), ids);
    const comparison = await client.runs.compare({ runIds: runs.map(({ runId }) => runId) });
    context.output.answer(comparison, () => {
      const names = comparison.runs.map(({ arm, seed }) => `${arm} ${seed}`);
      const shown = comparison.configuration.filter(({ differs }) => differs || options.all === true);
      const settings = shown.map(({ key, values }) => [key, ...values.map((value) => value ?? '–')]);
      const keys = [...new Set(comparison.summaries.map(({ key }) => key))];
      const lasts = keys.map((key) => [
        key,
        ...comparison.runs.map(({ runId }) =>
          formatFigure(comparison.summaries.find((each) => each.runId === runId && each.key === key)?.last),
        ),
      ]);
      return [
        formatRuns(comparison.runs),
        '',
        settings.length === 0
          ? 'The configurations are the same.'
          : formatTable(['setting', ...names], settings),
        '',
        formatTable(['metric, last value', ...names], lasts),
      ].join('\n');
    });
  });
}

function exportSeries(
  ids: readonly string[],
  options: ExportOptions,
  context: CommandContext,
): Promise<void> {
  return withSession(openReader(options, context), async ({ client }) => {
    const runs = findRuns(await client.runs.list({}), ids);
    const series = await readSeries(client, runs, options.key ?? []);
    const cut = series.filter(({ steps, numPoints }) => steps.length < numPoints);
    for (const { run, key, steps, numPoints } of cut) {
      context.output.note(
        `gymwright: ${run.arm} ${run.seed} ${key}: ${steps.length} bucket means stand for ${numPoints} points`,
      );
    }
    const text =
      options.format === 'csv'
        ? formatCsv(series)
        : `${JSON.stringify(series.map(({ run, key, steps, values }) => ({ run: run.runId, arm: run.arm, seed: run.seed, key, steps, values })))}\n`;
    if (isStandardOutput(options.out)) context.output.raw(text);
    else {
      writeOutputFile(options.out, text);
      context.output.note(`wrote ${series.length} series to ${options.out}`);
    }
  });
}

export function addRunsCommands(program: Command, run: RunAction): void {
  const runs = program
    .command('runs')
    .description('look at studies and their runs; works beside a running engine');
  addWorkspaceOptions(runs.command('list').description('studies of the workspace, newest first')).action(
    (options: WorkspaceOption) => run(options, (context) => list(options, context)),
  );
  addWorkspaceOptions(
    runs
      .command('show')
      .description('one study: closing table, runs, proposals')
      .argument('<study>', 'id, or the start of one'),
  ).action((id: string, options: WorkspaceOption) => run(options, (context) => show(id, options, context)));
  addWorkspaceOptions(
    runs
      .command('compare')
      .description('configuration and last values side by side')
      .argument('<ids...>', 'runs, or studies for all of their runs')
      .option('--all', 'also settings that do not differ'),
  ).action((ids: string[], options: WorkspaceOption & { all?: true }) =>
    run(options, (context) => compare(ids, options, context)),
  );
  addExportCommand(runs, run);
  addReportCommand(runs, run);
  addAblateCommand(runs, run);
}

function addExportCommand(runs: Command, run: RunAction): void {
  const command = runs
    .command('export')
    .description('metric series against charged steps')
    .argument('<ids...>', 'runs, or studies for all of their runs');
  command.addOption(
    command.createOption('--format <format>', 'csv or json').choices(['csv', 'json']).default('csv'),
  );
  command
    .option('--key <keys...>', 'only these metric keys')
    .option('--out <file>', 'a file instead of stdout');
  addWorkspaceOptions(command).action((ids: string[], options: ExportOptions) =>
    run(options, (context) => exportSeries(ids, options, context)),
  );
}
