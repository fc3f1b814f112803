import type { Command } from 'commander';
import { AppError } from '../../../shared/std/app-error.ts';
import { type AskedOptions, addAskedOptions, askedCoach } from '../asked-coach.ts';
import type { CommandContext, RunAction } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { matchId } from '../find-by-id.ts';
import { addWorkspaceOptions, type WorkspaceOption, wholeNumber } from '../options.ts';
import { describeDecided, formatAnswer, formatInbox, formatProposal } from '../proposal-text.ts';
import { readText } from '../read-text.ts';
import { resolvePath } from '../resolve-path.ts';
import { type Session, withSession } from '../sessions.ts';
import { findExistingWorkspace, workspaceOfFile } from '../workspace-folder.ts';
import { addCoachExportCommand } from './coach-export.ts';
import { addCoachLearnCommand } from './coach-learn.ts';
import { addCoachMemoryCommands } from './coach-memory.ts';
import { addCoachProbeCommand } from './coach-probe.ts';
import { addCoachTranslateCommand } from './coach-translate.ts';

interface ProposeOptions extends AskedOptions, WorkspaceOption {
  readonly count: number;
  readonly seed: number;
}

interface ReviewOptions extends WorkspaceOption {
  readonly accept?: true;
  readonly reject?: true;
  readonly edit?: string;
  readonly note?: string;
  readonly overrule?: true;
}

/** What a coach has to reach here for the command to end with 0. */
const leastShare = { parsed: 1, valid: 0.9 } as const;

function propose(
  file: string,
  options: ProposeOptions,
  { output, sessions, signal }: CommandContext,
): Promise<ExitCode> {
  readText(file);
  const root = workspaceOfFile(options.experiment ?? file, options.workspace);
  const { count, seed } = options;
  const asked = askedCoach(options);
  const work = async ({ client }: Session): Promise<ExitCode> => {
    // What a reader says of its own work; nothing else is at work in it.
    client.on('log.appended', ({ level, message }) => {
      if (level === 'info' && !output.isJson) output.note(message);
    });
    const { provider, proposals, funnel } = await client.coach.propose({
      ...{ environment: resolvePath(file), count, seed },
      ...asked,
    });
    const lines = proposals.map((proposal) => ({ event: 'proposal', provider, ...proposal }));
    output.answer([...lines, { event: 'funnel', ...funnel }], () =>
      [
        ...proposals.map(formatAnswer),
        '',
        `asked ${funnel.asked} about ${funnel.snapshots} snapshot${funnel.snapshots === 1 ? '' : 's'}, parsed ${funnel.parsed}, valid ${funnel.valid}, ${funnel.distinct} different; ${funnel.repaired} had a second attempt (provider ${provider})`,
      ].join('\n'),
    );
    const isSound =
      funnel.parsed >= leastShare.parsed * funnel.asked && funnel.valid >= leastShare.valid * funnel.asked;
    if (!isSound)
      output.note('gymwright: all answers have to parse and 90 % of them to be valid for this to end with 0');
    return isSound ? 0 : 1;
  };
  return withSession(sessions.openReader(root), work, signal);
}

/** What the options decide, or null when they only ask to see. */
function readVerdict(
  options: ReviewOptions,
): { verdict: 'accepted' | 'edited' | 'rejected'; text?: string } | null {
  const chosen = [options.accept, options.reject, options.edit].filter((each) => each !== undefined);
  if (chosen.length > 1)
    throw new AppError('input.invalid', 'choose one of --accept, --reject and --edit FILE');
  if (options.accept) return { verdict: 'accepted' };
  if (options.reject) return { verdict: 'rejected' };
  return options.edit === undefined ? null : { verdict: 'edited', text: readText(options.edit) };
}

function review(
  id: string | undefined,
  options: ReviewOptions,
  { output, sessions }: CommandContext,
): Promise<void> {
  const root = findExistingWorkspace(options.workspace);
  const decision = readVerdict(options);
  if (decision !== null && id === undefined)
    throw new AppError(
      'input.invalid',
      'name the proposal to decide on; `gymwright coach review` lists them',
    );
  const opening = decision === null ? sessions.openReader(root) : sessions.openEngine(root);
  return withSession(opening, async ({ client }) => {
    const all = await client.coach.list({});
    if (id === undefined) {
      const waiting = all.filter(({ state }) => state === 'awaiting');
      return output.answer(waiting, () => formatInbox(waiting));
    }
    const proposal = matchId(all, ({ proposalId }) => proposalId, id, 'proposal', 'gymwright coach review');
    if (decision === null) return output.answer(proposal, () => formatProposal(proposal));
    const decided = await client.coach.decide({
      proposalId: proposal.proposalId,
      note: options.note ?? '',
      overrule: options.overrule === true,
      ...decision,
    });
    const study = await client.runs.get({ studyId: decided.studyId });
    output.answer(decided, () => describeDecided(decided, study));
  });
}

export function addCoachCommands(program: Command, run: RunAction): void {
  const coach = program.command('coach').description('ask a coach, and decide on what it proposed');
  const ask = coach
    .command('propose')
    .description('what a coach would change in an environment; changes nothing')
    .argument('<file>', 'EDL file');
  addAskedOptions(ask, 'who proposes')
    .option('--count <n>', 'how often to ask', wholeNumber(1, 1000), 1)
    .option('--seed <n>', 'seed of the play and the sampling', wholeNumber(0), 1);
  addWorkspaceOptions(ask).action((file: string, options: ProposeOptions) =>
    run(options, (context) => propose(file, options, context)),
  );
  addWorkspaceOptions(
    coach
      .command('review')
      .description('proposals that wait; with an id, show it or decide on it')
      .argument('[proposal]', 'id, or the start of one')
      .option('--accept', 'take the change')
      .option('--reject', 'refuse it')
      .option('--edit <file>', 'take this whole EDL text instead')
      .option('--overrule', 'with --edit: take it although what was recorded speaks against it')
      .option('--note <text>', 'why'),
  ).action((id: string | undefined, options: ReviewOptions) =>
    run(options, (context) => review(id, options, context)),
  );
  addCoachExportCommand(coach, run);
  addCoachMemoryCommands(coach, run);
  addCoachLearnCommand(coach, run);
  addCoachProbeCommand(coach, run);
  addCoachTranslateCommand(coach, run);
}
