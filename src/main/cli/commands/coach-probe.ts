import type { Command } from 'commander';
import { type AskedOptions, addAskedOptions, askedCoach } from '../asked-coach.ts';
import { asTyped } from '../command-name.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { addWorkspaceOptions, type WorkspaceOption } from '../options.ts';
import { formatProbe } from '../probe-text.ts';
import { type Session, withSession } from '../sessions.ts';
import { findExistingWorkspace, workspaceOfFile } from '../workspace-folder.ts';

interface ProbeOptions extends AskedOptions, WorkspaceOption {
  readonly shuffled?: true;
}

function probe(options: ProbeOptions, { output, sessions, signal }: CommandContext): Promise<void> {
  const { experiment, workspace } = options;
  const root =
    experiment === undefined ? findExistingWorkspace(workspace) : workspaceOfFile(experiment, workspace);
  const work = async ({ client }: Session): Promise<void> => {
    const result = await client.coach.probe({
      shuffled: options.shuffled === true,
      ...askedCoach(options),
    });
    output.answer(result, () => asTyped(formatProbe(result)));
  };
  return withSession(sessions.openReader(root), work, signal);
}

export function addCoachProbeCommand(coach: Command, run: RunAction): void {
  const asking = coach
    .command('probe')
    .description('how often a coach finds what repairs planted defects, from their snapshots');
  addWorkspaceOptions(
    addAskedOptions(asking, 'who chooses').option(
      '--shuffled',
      'show the snapshot of another defect of the same scenario: who reads it does worse',
    ),
  ).action((options: ProbeOptions) => run(options, (context) => probe(options, context)));
}
