import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { ProposalView } from '../../../shared/contract/coach.ts';
import type { Client } from '../../../shared/contract/index.ts';
import type { StudyView } from '../../../shared/contract/runs.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { commandName, typedPath } from '../command-name.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { type ExitCode, exitCodeOf } from '../exit-codes.ts';
import {
  followOnTerminal,
  type StartOptions,
  type Target,
  workspaceArgument,
} from '../follow-on-terminal.ts';
import { addWorkspaceOptions, type WorkspaceOption, wholeNumber } from '../options.ts';
import { formatPlan } from '../plan-text.ts';
import { withSession } from '../sessions.ts';
import { stayForOthers } from '../stay-for-others.ts';
import { formatStudy } from '../study-table.ts';
import { findWorkspace, hasParts, workspaceOfFile } from '../workspace-folder.ts';

interface RunOptions extends WorkspaceOption, StartOptions {
  readonly plan?: true;
}

const quickstartFolder = 'gymwright-quickstart';
const quickstartExperiment = path.join('experiments', 'quickstart.yaml');

/** The sample workspace, made where it is not there yet; what is there is used as it is. */
async function prepareQuickstart(named: string | undefined, { output }: CommandContext): Promise<Target> {
  const root = path.resolve(named ?? quickstartFolder);
  if (!existsSync(path.join(root, quickstartExperiment))) {
    const { createSampleWorkspace } = await import('../../../engine/rpc/sample-workspace.ts');
    await createSampleWorkspace(root);
    output.note(`wrote the sample workspace ${root}`);
  }
  return { root, experimentPath: path.join(root, quickstartExperiment) };
}

async function findTarget(file: string, options: RunOptions, context: CommandContext): Promise<Target> {
  if (file === 'quickstart' && !existsSync(file)) return prepareQuickstart(options.workspace, context);
  if (options.workspace === undefined)
    return { root: workspaceOfFile(file, undefined), experimentPath: path.resolve(file) };
  const root = findWorkspace(options.workspace);
  const experimentPath = existsSync(file) ? path.resolve(file) : path.resolve(root, file);
  return { root, experimentPath };
}

function resumeHint(file: string, target: Target, { studyId }: StudyView, options: RunOptions): string {
  const isQuickstart = options.workspace === undefined && file === 'quickstart';
  const named = isQuickstart ? file : typedPath(target.experimentPath);
  const workspace = isQuickstart ? '' : workspaceArgument(target);
  return `To go on where it stopped: ${commandName()} run ${named}${workspace} --resume ${studyId}`;
}

/** What failed for good: taken up again it fails again. */
const lasting: ReadonlySet<string> = new Set(['learner.badCheckpoint', 'run.failed']);

function nextAttempt(file: string, target: Target, study: StudyView, options: RunOptions): string {
  const open = study.runs.filter(({ state }) => state !== 'finished');
  if (open.some(({ error }) => error === null || !lasting.has(error.code)))
    return resumeHint(file, target, study, options);
  return 'Resuming would fail in the same way: mend what is said above, or start the study anew.';
}

/** What one would look at after a study, as it is typed. */
function describeNext(target: Target, { studyId }: StudyView, proposals: readonly ProposalView[]): string {
  const [name, workspace] = [commandName(), workspaceArgument(target)];
  const waiting = proposals.filter(({ state }) => state === 'awaiting').length;
  const commands = [
    [`${name} runs show ${studyId}${workspace}`, 'runs, proposals and decisions'],
    ...(proposals.length > 0
      ? [[`${name} runs report ${studyId}${workspace}`, 'what changing the environment did']]
      : []),
    [`${name} serve${workspace}`, 'the workbench, in a browser'],
    ...(waiting > 0 ? [[`${name} coach review${workspace}`, `${waiting} wait for your decision`]] : []),
  ];
  const width = Math.max(...commands.map(([command = '']) => command.length));
  return ['', 'Next:', ...commands.map(([command = '', why]) => `  ${command.padEnd(width)}   ${why}`)].join(
    '\n',
  );
}

/** 2 where something must be given before it can go on, such as space on the disk. */
function exitCodeOfStudy({ runs }: StudyView): ExitCode {
  return runs.some(({ error }) => error !== null && exitCodeOf(error.code) === 2) ? 2 : 1;
}

const maxNamed = 5;

/** What there is to run in a workspace. */
function tellExperiments(root: string): string {
  const folder = path.join(root, 'experiments');
  const found = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /\.ya?ml$/.test(name))
        .sort()
    : [];
  if (found.length === 0) return `experiments lie in ${folder}, and none is there yet`;
  const named = found.slice(0, maxNamed).map((name) => typedPath(path.join(folder, name)));
  const more = found.length > maxNamed ? ` and ${found.length - maxNamed} more` : '';
  return `those of this workspace are ${named.join(', ')}${more}`;
}

/** Before an engine makes a workspace of the place where the experiment should lie. */
function requireExperimentFile({ root, experimentPath: file }: Target): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined && !existsSync(path.join(root, '.gymwright'))) {
    const rest = hasParts(root)
      ? `; ${tellExperiments(root)}`
      : `, and ${root} is no workspace; make one with \`${commandName()} init DIR\``;
    throw new AppError('workspace.notFound', `there is no experiment file ${file}${rest}`);
  }
  if (!found?.isDirectory()) return;
  throw new AppError(
    'input.invalid',
    `${file} is a folder: name an experiment file, such as one in its experiments/`,
  );
}

/** What the run would take; nothing is started. */
async function plan(
  { runs }: Client,
  { experimentPath }: Target,
  { arm, seed, resume }: RunOptions,
  { output }: CommandContext,
): Promise<ExitCode> {
  if (resume !== undefined)
    throw new AppError(
      'input.invalid',
      '--plan is for a study that has not begun; --resume takes up one that has',
    );
  const planned = await runs.plan({
    experimentPath,
    ...(arm === undefined ? {} : { arm }),
    ...(seed === undefined ? {} : { seed }),
  });
  output.answer({ event: 'plan', ...planned }, () => formatPlan(planned));
  return 0;
}

async function runExperiment(file: string, options: RunOptions, context: CommandContext): Promise<ExitCode> {
  const { output, sessions, signal } = context;
  const target = await findTarget(file, options, context);
  requireExperimentFile(target);
  return withSession(sessions.openEngine(target.root), async (engine) => {
    const { client, isRemote } = engine;
    if (options.plan) return plan(client, target, options, context);
    if (isRemote)
      output.note('another engine holds this workspace: the run is handed to it and followed from here');
    const study = await followOnTerminal(engine, target, options, context);
    const proposals = await client.coach.list({ studyId: study.studyId });
    if (!output.isJson) output.print(formatStudy(study, proposals));
    for (const { arm, seed, error } of study.runs) {
      if (error !== null)
        output.note(`gymwright: ${arm} seed ${seed} failed (${error.code}): ${error.message}`);
    }
    if (!output.isJson) output.note(describeNext(target, study, proposals));
    if (study.state !== 'finished') output.note(nextAttempt(file, target, study, options));
    if (!isRemote) await stayForOthers(client, output, signal);
    return study.state === 'finished' ? 0 : exitCodeOfStudy(study);
  });
}

export function addRunCommand(program: Command, run: RunAction): void {
  const command = program
    .command('run')
    .description('train every arm and seed of an experiment file, or of the sample that `quickstart` names')
    .argument('<experiment>', 'experiment file, or quickstart')
    .option('--seed <n>', 'this seed alone, also one that the file does not list', wholeNumber(0))
    .option('--arm <name>', 'only this arm')
    .option('--resume <study>', 'take up a stopped or interrupted study (id, or the start of one)')
    .option('--plan', 'say what it would take (steps, share of trials, hours, disk), and start nothing');
  addWorkspaceOptions(command).action((file: string, options: RunOptions) =>
    run(options, (context) => runExperiment(file, options, context), { stopsInOrder: true }),
  );
}
