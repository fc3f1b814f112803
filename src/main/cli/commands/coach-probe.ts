import { type Command, Option } from 'commander';
import { type ProbeView, probeProviders } from '../../../shared/contract/coach-probe.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { addWorkspaceOptions, type WorkspaceOption } from '../options.ts';
import { formatProbe } from '../probe-text.ts';
import { resolvePath } from '../resolve-path.ts';
import { withSession } from '../sessions.ts';
import { findExistingWorkspace } from '../workspace-folder.ts';

interface ProbeOptions extends WorkspaceOption {
  readonly provider: ProbeView['provider'];
  readonly model?: string;
  readonly prompt?: string;
  readonly shuffled?: true;
}

function probe(options: ProbeOptions, { output, sessions }: CommandContext): Promise<void> {
  const root = findExistingWorkspace(options.workspace);
  return withSession(sessions.openReader(root), async ({ client }) => {
    const result = await client.coach.probe({
      provider: options.provider,
      shuffled: options.shuffled === true,
      ...(options.model !== undefined && { model: resolvePath(options.model) }),
      ...(options.prompt !== undefined && { prompt: resolvePath(options.prompt) }),
    });
    output.answer(result, () => formatProbe(result));
  });
}

export function addCoachProbeCommand(coach: Command, run: RunAction): void {
  addWorkspaceOptions(
    coach
      .command('probe')
      .description('how often a coach finds what repairs planted defects, from their snapshots')
      .addOption(new Option('--provider <name>', 'who chooses').choices(probeProviders).default('rules'))
      .option('--model <file>', 'GGUF file, for llama; ranker-HASH.json, for learned')
      .option('--prompt <file>', 'prompt file (default: the shipped one)')
      .option(
        '--shuffled',
        'show the snapshot of another defect of the same scenario: who reads it does worse',
      ),
  ).action((options: ProbeOptions) => run(options, (context) => probe(options, context)));
}
