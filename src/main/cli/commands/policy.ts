import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '../../../shared/contract/index.ts';
import type { EvaluationView, PolicyView } from '../../../shared/contract/policies.ts';
import { type PolicyExtra, policyExtras } from '../../../shared/rl/policy-metadata.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { findRuns } from '../find-by-id.ts';
import { areFiles, findPolicies, findPolicy } from '../find-policies.ts';
import { addPlayer, addWorkspaceOptions, type WorkspaceOption, wholeNumber } from '../options.ts';
import { resolvePath } from '../resolve-path.ts';
import { withSession } from '../sessions.ts';
import { formatFigure, formatInterval, formatTable } from '../text-table.ts';
import { findExistingWorkspace, findWorkspace } from '../workspace-folder.ts';
import { writeOutputFile } from '../write-file.ts';

interface ImportOptions extends WorkspaceOption {
  readonly environment: string;
  readonly group?: string;
  readonly out: string;
  readonly extras: readonly PolicyExtra[];
  readonly obs?: string;
  readonly scores?: string;
  readonly mask?: string;
  readonly hidden?: string;
  readonly nextHidden?: string;
}

interface EvaluateOptions extends WorkspaceOption {
  readonly environment?: string;
  readonly play: Readonly<Record<string, string>>;
  readonly episodes: number;
  readonly seed: number;
}

const reader = (options: WorkspaceOption, { sessions }: CommandContext) =>
  sessions.openReader(findExistingWorkspace(options.workspace));

function formatPolicies(policies: readonly PolicyView[]): string {
  if (policies.length === 0) return 'No policies yet: every finished round of a run exports them.';
  const rows = policies.map(({ policyId, arm, seed, round, group, parameterHash, file }) => [
    policyId,
    arm,
    String(seed),
    String(round + 1),
    group,
    parameterHash.slice(0, 12),
    file,
  ]);
  return formatTable(['policy', 'arm', 'seed', 'round', 'group', 'parameters', 'file'], rows);
}

function list(id: string | undefined, options: WorkspaceOption, context: CommandContext): Promise<void> {
  return withSession(reader(options, context), async ({ client }) => {
    const runs =
      id === undefined ? null : findRuns(await client.runs.list({}), [id]).map(({ runId }) => runId);
    const all = await client.policies.list({});
    const policies = all.filter(({ runId }) => runs === null || runs.includes(runId));
    context.output.answer(policies, () => formatPolicies(policies));
  });
}

function exportPolicy(
  id: string,
  out: string,
  options: WorkspaceOption,
  context: CommandContext,
): Promise<void> {
  return withSession(reader(options, context), async ({ client }) => {
    const { policyId } = findPolicy(await client.policies.list({}), id);
    const { policy, onnx } = await client.policies.export({ policyId });
    writeOutputFile(out, onnx);
    context.output.answer(
      { ...policy, out },
      () => `wrote ${out} (${policy.group}, ${onnx.byteLength} bytes)`,
    );
  });
}

function importModel(file: string, options: ImportOptions, context: CommandContext): Promise<void> {
  const { environment, group, extras, out } = options;
  const ports = {
    ...(options.obs !== undefined && { obs: options.obs }),
    ...(options.scores !== undefined && { scores: options.scores }),
    ...(options.mask !== undefined && { logitBias: options.mask }),
    ...(options.hidden !== undefined && { hidden: options.hidden }),
    ...(options.nextHidden !== undefined && { nextHidden: options.nextHidden }),
  };
  const root = findWorkspace(options.workspace);
  return withSession(context.sessions.openReader(root), async ({ client }) => {
    const { policy, onnx } = await client.policies.import({
      file: resolvePath(file),
      environment: existsSync(environment) ? resolvePath(environment) : environment,
      ...(group !== undefined && { group }),
      extras: [...extras],
      ports,
    });
    writeOutputFile(out, onnx);
    context.output.answer({ ...policy, out }, () => {
      const memory = policy.hiddenDim > 0 ? `, memory of ${policy.hiddenDim}` : '';
      return (
        `wrote ${out}: plays ${policy.group} of ${policy.scenario} (${policy.obsDim} observations, ` +
        `${policy.numActions} actions${memory})`
      );
    });
  });
}

function formatEvaluation(view: EvaluationView): string {
  const rows = view.groups.map(({ group, policy, episodeReturn, metrics }) => [
    group,
    policy,
    formatInterval(episodeReturn.mean, episodeReturn.low, episodeReturn.high),
    metrics.map(({ name, mean }) => `${name} ${formatFigure(mean)}`).join(', ') || '–',
  ]);
  const table = formatTable(['group', 'policy', 'episode return [95 %]', 'metrics'], rows);
  return `${view.environment} (${view.scenario}), ${view.episodes} fixed episodes\n\n${table}`;
}

interface Judged {
  readonly environment: string;
  readonly play: Readonly<Record<string, string>>;
}

const opponentPrefix = 'objective.opponents.';

/** What the study of these runs is judged on. Throws input.invalid where that is not one environment with one set of opponents. */
async function objectiveOf(client: Client, runIds: readonly string[]): Promise<Judged> {
  const how = 'name one with --environment FILE (or a scenario)';
  if (runIds.length === 0)
    throw new AppError(
      'input.invalid',
      `no policy of a run is given, whose study would say which environment it is judged on: ${how}`,
    );
  const { configuration } = await client.runs.compare({ runIds: [...new Set(runIds)] });
  const judged = configuration.filter(
    ({ key }) => key === 'objective.environment' || key.startsWith(opponentPrefix),
  );
  const environment = judged.find(({ key }) => key === 'objective.environment')?.values[0];
  if (typeof environment !== 'string' || judged.some(({ differs }) => differs))
    throw new AppError('input.invalid', `the policies are not judged on one environment: ${how}`);
  const opponents = judged.filter(({ key }) => key.startsWith(opponentPrefix));
  const play = opponents.map(({ key, values }) => [key.slice(opponentPrefix.length), String(values[0])]);
  return { environment, play: Object.fromEntries(play) };
}

function evaluate(ids: readonly string[], options: EvaluateOptions, context: CommandContext): Promise<void> {
  const root = areFiles(ids) ? findWorkspace(options.workspace) : findExistingWorkspace(options.workspace);
  return withSession(context.sessions.openReader(root), async ({ client }) => {
    const found = await findPolicies(client, ids);
    const policies = found.map((each) => (typeof each === 'string' ? each : each.policyId));
    const runIds = found.flatMap((each) => (typeof each === 'string' ? [] : [each.runId]));
    const { environment: named } = options;
    const judged =
      named === undefined
        ? await objectiveOf(client, runIds)
        : { environment: existsSync(named) ? resolvePath(named) : named, play: {} };
    const { episodes, seed } = options;
    const play = { ...judged.play, ...options.play };
    const view = await client.policies.evaluate({ ...judged, policies, play, episodes, seed });
    context.output.answer(view, () => formatEvaluation(view));
  });
}

function readExtras(text: string): PolicyExtra[] {
  return text.split(',').map((word) => {
    const { success, data } = policyExtras.safeParse(word.trim());
    if (!success) throw new InvalidArgumentError(`It must be a list of ${policyExtras.options.join(', ')}.`);
    return data;
  });
}

export function addPolicyCommands(program: Command, run: RunAction): void {
  const policy = program.command('policy').description('trained policies: ONNX files that say what they are');
  addWorkspaceOptions(
    policy
      .command('list')
      .description('policies of the workspace, newest first')
      .argument('[id]', 'only of this run or study'),
  ).action((id: string | undefined, options: WorkspaceOption) =>
    run(options, (context) => list(id, options, context)),
  );
  addWorkspaceOptions(
    policy
      .command('export')
      .description('copy one policy out of the workspace')
      .argument('<policy>', 'id, or the start of one')
      .requiredOption('--out <file>', 'where to write the .onnx file'),
  ).action((id: string, options: WorkspaceOption & { readonly out: string }) =>
    run(options, (context) => exportPolicy(id, options.out, options, context)),
  );
  addWorkspaceOptions(
    policy
      .command('import')
      .description('make a policy of an ONNX model that somebody else trained')
      .argument('<model>', 'the .onnx file')
      .requiredOption('--environment <file>', 'EDL file or scenario name: whose space the model is held to')
      .option('--group <name>', 'whom it plays (default: the only group)')
      .requiredOption('--out <file>', 'where to write the policy')
      .option('--extras <list>', 'what it sees beside the observation: lastAction, agentId', readExtras, [])
      .option('--obs <input>', 'name of its observations (default: the input of that width)')
      .option('--scores <output>', 'name of its logits or action values (default: the output of that width)')
      .option('--mask <input>', 'name of an input that is added to the scores, 0 or -1e9')
      .option('--hidden <input>', "name of its memory, zeros at an episode's start")
      .option('--next-hidden <output>', 'name of the memory after the step'),
  ).action((file: string, options: ImportOptions) =>
    run(options, (context) => importModel(file, options, context)),
  );
  addWorkspaceOptions(
    policy
      .command('evaluate')
      .description('play fixed episodes, greedily where a policy is trained, and report base returns')
      .argument('[policies...]', 'ids or .onnx files, one per group that --play names nobody for')
      .option(
        '--environment <file>',
        "EDL file or scenario name (default: the objective's of the policy's study, with its opponents)",
      )
      .option(
        '--play <group=policy>',
        'a built-in policy plays the group, where no policy is given',
        addPlayer,
        {},
      )
      .option('--episodes <n>', 'fixed episodes', wholeNumber(1, 100_000), 1024)
      .option('--seed <n>', 'stream the episodes are drawn from', wholeNumber(0), 1),
  ).action((ids: string[], options: EvaluateOptions) =>
    run(options, (context) => evaluate(ids, options, context)),
  );
}
