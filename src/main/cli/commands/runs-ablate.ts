import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { AblationView } from '../../../shared/contract/ablation.ts';
import type { Client } from '../../../shared/contract/index.ts';
import type { StudyView } from '../../../shared/contract/runs.ts';
import { formatAblation } from '../ablation-text.ts';
import { commandName } from '../command-name.ts';
import type { CommandContext, RunAction } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { findRuns, findStudy } from '../find-by-id.ts';
import { followOnTerminal, workspaceArgument } from '../follow-on-terminal.ts';
import { addWorkspaceOptions, type WorkspaceOption } from '../options.ts';
import { formatPlan } from '../plan-text.ts';
import { type EngineSession, withSession } from '../sessions.ts';
import { findExistingWorkspace } from '../workspace-folder.ts';
import { writeOutputFile } from '../write-file.ts';

interface AblateOptions extends WorkspaceOption {
  readonly run?: string;
  readonly seeds?: number[];
  readonly addOne?: true;
  readonly plan?: true;
  readonly show?: true;
}

/** "6,7,8" or "6-10". */
export function readSeeds(text: string): number[] {
  const seeds = text.split(',').flatMap((part) => {
    const [, from, to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part.trim()) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (from === undefined || last < first || last - first > 1000)
      throw new InvalidArgumentError('It must be seeds such as 6,7,8 or 6-10.');
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  return [...new Set(seeds)];
}

async function ask(client: Client, id: string, options: AblateOptions): Promise<() => Promise<AblationView>> {
  const studies = await client.runs.list({});
  const { studyId } = findStudy(studies, id);
  const runId = options.run === undefined ? undefined : findRuns(studies, [options.run])[0]?.runId;
  const args = {
    studyId,
    isAddOne: options.addOne === true,
    ...(runId === undefined ? {} : { runId }),
    ...(options.seeds === undefined ? {} : { seeds: options.seeds }),
  };
  return () => client.runs.ablation(args);
}

/** Only looks: what would be trained, or what is known. */
function look(id: string, options: AblateOptions, { output, sessions }: CommandContext): Promise<ExitCode> {
  const opening = sessions.openReader(findExistingWorkspace(options.workspace));
  return withSession(opening, async ({ client }): Promise<ExitCode> => {
    const view = await (await ask(client, id, options))();
    const { files: _, ...told } = view;
    output.answer({ event: options.plan ? 'plan' : 'ablation', ...told }, () =>
      options.plan ? describePlan(view) : formatAblation(view),
    );
    return 0;
  });
}

function describePlan(view: AblationView): string {
  const { runId, changes, plan, unfinished } = view;
  return [
    `Run ${runId} ends with ${changes.length} change${changes.length === 1 ? '' : 's'}:`,
    ...changes.map(
      ({ index, label, skipped }) =>
        `  ${index}  ${label}${skipped === null ? '' : ` (not apart: ${skipped})`}`,
    ),
    ...(unfinished === null ? [] : [`Study ${unfinished.studyId} was interrupted and goes on first.`]),
    '',
    plan !== null
      ? formatPlan(plan)
      : unfinished === null
        ? 'Every seed asked for has been trained: nothing is missing.'
        : 'No further seed is missing.',
  ].join('\n');
}

/** Trains what is missing, interrupted studies first, and tells what is known then. */
function ablate(id: string, options: AblateOptions, context: CommandContext): Promise<ExitCode> {
  const { output, sessions } = context;
  const root = findExistingWorkspace(options.workspace);
  return withSession(sessions.openEngine(root), async (engine) => {
    const read = await ask(engine.client, id, options);
    for (let before: AblationView | null = null; ; ) {
      const view = await read();
      if (view.unfinished === null && view.experimentPath === null) {
        const { files: _, ...told } = view;
        output.answer({ event: 'ablation', ...told }, () => formatAblation(view));
        return 0;
      }
      if (before !== null && isStuck(before, view)) return tellStuck(view, root, context);
      before = view;
      const study = await trainNext(engine, view, root, context);
      if (study.state !== 'finished') return tellStuck(view, root, context);
    }
  });
}

function trainNext(
  engine: EngineSession,
  view: AblationView,
  root: string,
  context: CommandContext,
): Promise<StudyView> {
  const { unfinished, experimentPath, files } = view;
  if (unfinished !== null) {
    const target = { root, experimentPath: unfinished.experimentPath };
    return followOnTerminal(engine, target, { resume: unfinished.studyId }, context);
  }
  for (const { path: file, text } of files) writeOutputFile(path.join(root, file), text);
  context.output.note(`wrote ${files.length} files to ${path.join(root, view.folder)}`);
  return followOnTerminal(engine, { root, experimentPath: experimentPath ?? '' }, {}, context);
}

const isStuck = (before: AblationView, now: AblationView): boolean =>
  before.unfinished?.studyId === now.unfinished?.studyId && before.experimentPath === now.experimentPath;

function tellStuck(view: AblationView, root: string, { output }: CommandContext): ExitCode {
  output.note(
    `Not all of it is trained. To go on: ${commandName()} runs ablate ${view.studyId} --run ${view.runId}${workspaceArgument({ root })}`,
  );
  return 1;
}

export function addAblateCommand(runs: Command, run: RunAction): void {
  const command = runs
    .command('ablate')
    .description('which change helped: retrains with one left out at a time; goes on where it stopped')
    .argument('<study>', 'id, or the start of one')
    .option('--run <run>', 'whose changes (default: the best finished run that has any)')
    .option(
      '--seeds <seeds>',
      'as in 6,7,8 or 6-10 (default: as many as the study has, fresh ones)',
      readSeeds,
    )
    .option('--add-one', 'also train each change alone')
    .option('--plan', 'say what is missing and what it would take, and start nothing')
    .option('--show', 'what is known so far, and start nothing');
  addWorkspaceOptions(command).action((id: string, options: AblateOptions) =>
    run(options, (context) =>
      options.plan || options.show ? look(id, options, context) : ablate(id, options, context),
    ),
  );
}
