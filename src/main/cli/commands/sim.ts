import type { Command } from 'commander';
import type { Client } from '../../../shared/contract/index.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { type JsonOption, jsonOption, positiveNumber, wholeNumber } from '../options.ts';
import { readJson, readText } from '../read-text.ts';
import { withSession } from '../sessions.ts';
import { formatTable } from '../text-table.ts';

interface SpeedOptions extends JsonOption {
  readonly copies: number;
  readonly seconds: number;
  readonly edl?: string;
}

const traceDigits = 12;

function speed(scenario: string, options: SpeedOptions, { output, sessions }: CommandContext): Promise<void> {
  return withSession(sessions.openTools(), async ({ client }) => {
    const text = options.edl === undefined ? {} : { text: readText(options.edl) };
    const { copies, seconds } = options;
    const measured = await client.simulator.speed({ scenario, numEnvs: copies, seconds, ...text });
    output.answer(measured, () => formatSpeed(scenario, measured));
  });
}

type Measured = Awaited<ReturnType<Client['simulator']['speed']>>;

function formatSpeed(scenario: string, { stepsPerSecond, copies, threads, program }: Measured): string {
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
    `They add ${program.addedNanoseconds.toFixed(0)} ns per env-step, of which ${program.sharedNanoseconds.toFixed(0)} ns are what they share (state, distances, folding, sums of rewards).`,
    '',
    formatTable(['kind', 'declaration', 'instances', 'ns per env-step'], rows),
  ].join('\n');
}

/** Rounds to the digits that are printed, so that the text reads back to the same number. */
const roundNumbers = (_key: string, value: unknown) =>
  typeof value === 'number' ? Number(value.toPrecision(traceDigits)) : value;

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
    .argument('<scenario>', 'scenario name')
    .option('--edl <file>', 'measure this environment of the scenario')
    .option('--copies <n>', 'copies stepped together', wholeNumber(1, 1_000_000), 1024)
    .option('--seconds <s>', 'how long to measure', positiveNumber, 2)
    .addOption(jsonOption())
    .action((scenario: string, options: SpeedOptions) =>
      run(options, (context) => speed(scenario, options, context)),
    );
  sim
    .command('trace')
    .description('the trajectory of one reference case, as one JSON object')
    .argument('<scenario>', 'scenario name')
    .requiredOption('--case <file>', 'JSON file with {init, agents}; - for stdin')
    .addOption(jsonOption())
    .action((scenario: string, options: JsonOption & { readonly case: string }) =>
      run(options, (context) => trace(scenario, options.case, context)),
    );
}
