import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { CommandContext, RunAction } from '../context.ts';
import { addPlayer, type JsonOption, jsonOption, wholeNumber } from '../options.ts';
import { readText } from '../read-text.ts';
import { scenarioSource } from '../scenario-source.ts';
import { withSession } from '../sessions.ts';
import { findWorkspace } from '../workspace-folder.ts';

interface DescribeOptions extends JsonOption {
  readonly steps?: number;
  readonly every: number;
  readonly seed: number;
  readonly edl?: string;
  readonly template?: string;
  readonly play: Readonly<Record<string, string>>;
  readonly workspace?: string;
  readonly all?: true;
}

/** The template a person names, else the workspace's own, else none: the shipped one is taken then. */
function findTemplate(scenario: string, { template, workspace }: DescribeOptions) {
  const own = path.join(findWorkspace(workspace), 'describers', `${scenario}.yaml`);
  const file = template ?? (existsSync(own) ? own : null);
  return file === null ? {} : { template: { path: file, text: readText(file) } };
}

function describe(
  given: string | undefined,
  options: DescribeOptions,
  { output, sessions }: CommandContext,
): Promise<void> {
  return withSession(sessions.openTools(), async ({ client }) => {
    const { steps, every, seed, edl, play } = options;
    const source = await scenarioSource(client, given, edl);
    const { descriptions } = await client.simulator.describe({
      ...source,
      ...findTemplate(source.scenario, options),
      ...(steps !== undefined && { steps }),
      play,
      every,
      seed,
    });
    const shown = descriptions.filter(({ isNew }) => isNew || options.all === true);
    output.answer(shown, () =>
      shown
        .map(
          ({ episode, step, text }) =>
            `step ${step}${episode > 0 ? `, episode ${episode + 1}` : ''}\n${text}\n`,
        )
        .join('\n'),
    );
  });
}

export function addDescribeCommand(program: Command, run: RunAction): void {
  program
    .command('describe')
    .description('the state of an environment as a short text, along an episode; prints it where it changes')
    .argument('[scenario]', 'scenario name; with --edl it may be left out')
    .option('--steps <n>', 'steps to play (default: one episode)', wholeNumber(1, 1_000_000))
    .option('--every <n>', 'steps between descriptions', wholeNumber(1, 1_000_000), 1)
    .option('--seed <n>', 'of the episodes and the random actions', wholeNumber(0), 0)
    .option('--edl <file>', 'play this environment of the scenario')
    .option('--template <file>', "instead of the workspace's describers/SCENARIO.yaml or the shipped one")
    .option('--play <group=policy>', 'a built-in policy plays the group, others act at random', addPlayer, {})
    .option('--workspace <dir>', 'workspace folder (default: the one around the current folder)')
    .option('--all', 'print the text also where it has not changed')
    .addOption(jsonOption())
    .action((scenario: string | undefined, options: DescribeOptions) =>
      run(options, (context) => describe(scenario, options, context)),
    );
}
