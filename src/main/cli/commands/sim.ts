import type { Command } from 'commander';
import type { Client } from '../../../shared/contract/index.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { type JsonOption, jsonOption, positiveNumber, wholeNumber } from '../options.ts';
import { readJson } from '../read-text.ts';
import { scenarioSource } from '../scenario-source.ts';
import { withSession } from '../sessions.ts';
import { formatTable } from '../text-table.ts';
import { addDrawCommand } from './sim-draw.ts';

interface SpeedOptions extends JsonOption {
  readonly copies: number;
  readonly seconds: number;
  readonly edl?: string;
  readonly trained?: number;
}

const traceDigits = 12;

function speed(
  given: string | undefined,
  options: SpeedOptions,
  { output, sessions }: CommandContext,
): Promise<void> {
  return withSession(sessions.openTools(), async ({ client }) => {
    const source = await scenarioSource(client, given, options.edl);
    const { copies, seconds, trained } = options;
    const measured = await client.simulator.speed({ ...source, numEnvs: copies, seconds });
    output.answer(measured, () => formatSpeed(source.scenario, measured, trained));
  });
}

type Measured = Awaited<ReturnType<Client['simulator']['speed']>>;

function formatSpeed(scenario: string, measured: Measured, trained: number | undefined): string {
  const { stepsPerSecond, copies, threads, program } = measured;
  const million = (perSecond: number) => `${(perSecond / 1e6).toFixed(2)} M env-steps/s`;
  const how = `with observations (${copies} copies, ${threads} thread${threads === 1 ? '' : 's'})`;
  if (program === null) return `${scenario}: ${million(stepsPerSecond)} ${how}`;
  const rows = program.declarations.map(({ kind, name, instances, nanoseconds }) => [
    kind,
    name,
    String(instances),
    nanoseconds.toFixed(1),
  ]);
  return [
    `${scenario}: ${million(program.plainStepsPerSecond)} without the environment's declarations, ${million(stepsPerSecond)} with them, ${how}`,
    formatCost(program),
    ...formatShare(program.addedNanoseconds, trained),
    ...formatPairwise(measured),
    '',
    formatTable(['kind', 'declaration', 'instances', 'ns per env-step'], rows),
  ].join('\n');
}

/** What the declarations take of an env-step of training. */
function formatShare(addedNanoseconds: number, trained: number | undefined): string[] {
  if (trained === undefined) return [];
  const share = ((addedNanoseconds * trained) / 1e9) * 100;
  return [`That is ${share.toFixed(2)} % of an env-step of training at ${trained} trained env-steps/s.`];
}

/** Rules with an instance for every ordered pair of agents. */
function formatPairwise({ agents, program }: Measured): string[] {
  const pairs = agents * (agents - 1);
  const costs = (program?.declarations ?? [])
    .filter(({ kind, instances }) => kind === 'rule' && pairs > 0 && instances === pairs)
    .map(({ nanoseconds }) => nanoseconds);
  if (costs.length === 0) return [];
  const mean = costs.reduce((sum, each) => sum + each, 0) / costs.length;
  return [
    `A rule over the ${pairs} ordered pairs of ${agents} agents takes ${mean.toFixed(1)} ns per env-step, without what is shared (mean of ${costs.length}).`,
  ];
}

type ProgramCost = NonNullable<Measured['program']>;

/** What comes out as less than nothing is lost in what else the machine does. */
function formatCost({ addedNanoseconds: added, sharedNanoseconds: shared }: ProgramCost): string {
  if (added < 0.5)
    return 'What they add per env-step is less than this measurement can tell; longer --seconds may.';
  const what = 'what they share (state, distances, folding, sums of rewards)';
  const rest =
    shared < 0.5
      ? `${what} is less than this measurement can tell`
      : `of which ${shared.toFixed(0)} ns are ${what}`;
  return `They add ${added.toFixed(0)} ns per env-step${shared < 0.5 ? '; ' : ', '}${rest}.`;
}

/** Rounds to the digits that are printed, so that the text reads back to the same number. */
const roundNumbers = (_key: string, value: unknown) =>
  typeof value === 'number' ? Number(value.toPrecision(traceDigits)) : value;

const traceHelp = `
A case of simple, one agent and one landmark over two steps (docs/scenarios has one of every scenario):
  {"init": {"A": [[0, 0]], "L": [[0.5, 0.5]], "acts": [[2], [4]]}}`;

function trace(scenario: string, file: string, { output, sessions }: CommandContext): Promise<void> {
  return withSession(sessions.openTools(), async ({ client }) => {
    const traced = await client.simulator.trace({ scenario, case: readJson(file) });
    output.print(JSON.stringify(traced, roundNumbers));
  });
}

export function addSimCommands(program: Command, run: RunAction): void {
  const sim = program.command('sim').description('the simulator on its own; needs no workspace');
  sim
    .command('speed')
    .description('env-steps per second with observations')
    .argument('[scenario]', 'scenario name; with --edl it may be left out')
    .option('--edl <file>', 'measure this environment of the scenario')
    .option(
      '--trained <n>',
      'trained env-steps/s of this machine: tells which share of an env-step of training the declarations take',
      positiveNumber,
    )
    .option('--copies <n>', 'copies stepped together', wholeNumber(1, 1_000_000), 1024)
    .option('--seconds <s>', 'how long to measure', positiveNumber, 2)
    .addOption(jsonOption())
    .action((scenario: string | undefined, options: SpeedOptions) =>
      run(options, (context) => speed(scenario, options, context)),
    );
  sim
    .command('trace')
    .description('the trajectory of one reference case, as one JSON object')
    .argument('<scenario>', 'scenario name')
    .requiredOption('--case <file>', 'JSON file with the layout and the actions; - for stdin')
    .addOption(jsonOption())
    .addHelpText('after', traceHelp)
    .action((scenario: string, options: JsonOption & { readonly case: string }) =>
      run(options, (context) => trace(scenario, options.case, context)),
    );
  addDrawCommand(sim, run);
}
