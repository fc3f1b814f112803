import path from 'node:path';
import type { Command } from 'commander';
import type { RankerFigures } from '../../../shared/contract/coach-memory.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { findStudy } from '../find-by-id.ts';
import { addWorkspaceOptions, type WorkspaceOption } from '../options.ts';
import { withSession } from '../sessions.ts';
import { formatTable } from '../text-table.ts';
import { findExistingWorkspace } from '../workspace-folder.ts';
import { writeOutputFile } from '../write-file.ts';

interface LearnOptions extends WorkspaceOption {
  readonly out?: string;
  readonly study?: string[];
}

function shareOf(right: number, pairs: number): string {
  return pairs === 0 ? 'nothing to order' : `${right} of ${pairs} (${Math.round((100 * right) / pairs)} %)`;
}

function formatFigures({ trials, studies, ...all }: RankerFigures, file: string): string {
  const rows = studies.map(({ study, trials: own, pairs, right, withoutScorer }) => [
    study,
    String(own),
    shareOf(withoutScorer, pairs),
    shareOf(right, pairs),
  ]);
  const whole = shareOf(all.withoutScorer, all.pairs);
  return [
    formatTable(
      ['study left out', 'trials', 'pairs in the right order', 'with what a model made of them'],
      rows,
    ),
    '',
    `all: ${whole}, with what a model made of them ${shareOf(all.right, all.pairs)}; by chance half of them. Only an arm with a \`scorer\` has the latter.`,
    `Learned from all ${trials} trials: ${file}`,
    `In an experiment: coach: {provider: learned, model: ${file}}`,
  ].join('\n');
}

function learn(
  { workspace, out, study = [] }: LearnOptions,
  { output, sessions }: CommandContext,
): Promise<void> {
  const root = findExistingWorkspace(workspace);
  return withSession(sessions.openReader(root), async ({ client }) => {
    const all = study.length === 0 ? [] : await client.runs.list({});
    const studyIds = study.map((id) => findStudy(all, id).studyId);
    const { name, text, figures } = await client.coach.learn({ studyIds });
    const file = path.join(out ?? path.join(root, 'rankers'), name);
    writeOutputFile(file, text);
    const named = path.relative(root, file).startsWith('..') ? file : path.relative(root, file);
    output.answer({ event: 'learned', file, ...figures }, () => formatFigures(figures, named));
  });
}

export function addCoachLearnCommand(coach: Command, run: RunAction): void {
  addWorkspaceOptions(
    coach
      .command('learn')
      .description('learn from the trials of this workspace which edits help, for `provider: learned`')
      .option('--study <ids...>', 'only from these studies (ids, or starts of them)')
      .option('--out <dir>', "folder of the ranker's file (default: rankers/ of the workspace)"),
  ).action((options: LearnOptions) => run(options, (context) => learn(options, context)));
}
