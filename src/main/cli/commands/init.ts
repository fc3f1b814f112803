import type { Command } from 'commander';
import type { CommandContext, RunAction } from '../context.ts';
import { type JsonOption, jsonOption } from '../options.ts';
import { resolvePath } from '../resolve-path.ts';

async function init(folder: string, { output }: CommandContext): Promise<void> {
  const { createSampleWorkspace } = await import('../../../engine/rpc/sample-workspace.ts');
  const root = resolvePath(folder);
  await createSampleWorkspace(root);
  output.answer({ event: 'workspace.created', root }, () =>
    [
      `wrote a sample workspace to ${root}`,
      '  environments/   EDL files: how an environment differs from its scenario',
      '  experiments/    what to train, in which arms, with which seeds',
      '  prompts/        what a coach is told',
      `Try it: gymwright run quickstart --workspace ${folder}`,
    ].join('\n'),
  );
}

export function addInitCommand(program: Command, run: RunAction): void {
  program
    .command('init')
    .description('write a sample workspace into a new or empty folder')
    .argument('<dir>', 'folder')
    .addOption(jsonOption())
    .action((folder: string, options: JsonOption) => run(options, (context) => init(folder, context)));
}
