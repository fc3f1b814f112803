import { Command, Help, type Option } from 'commander';
import { commandName } from './command-name.ts';
import { addCoachCommands } from './commands/coach.ts';
import { addDescribeCommand } from './commands/describe.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEdlCommands } from './commands/edl.ts';
import { addInitCommand } from './commands/init.ts';
import { addModelCommands } from './commands/model.ts';
import { addPolicyCommands } from './commands/policy.ts';
import { addRunCommand } from './commands/run.ts';
import { addRunsCommands } from './commands/runs.ts';
import { addScenariosCommand } from './commands/scenarios.ts';
import { addServeCommand } from './commands/serve.ts';
import { addSimCommands } from './commands/sim.ts';
import type { RunAction } from './context.ts';

const afterHelp = (): string => `
Exit codes: 0 ok, 1 failed, 2 bad input. With --json stdout holds one JSON object a line, and nothing else.
First steps: ${commandName()} run quickstart`;

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** What an option is about. That a list or a map of what was given begins with nothing is no default worth naming. */
function optionDescription(option: Option): string {
  const shown = Object.assign(Object.create(Object.getPrototypeOf(option)) as Option, option);
  if (isEmpty(option.defaultValue)) shown.defaultValue = undefined;
  return new Help().optionDescription(shown);
}

/** The whole command line; one file a command group. `run` decides what happens to results and errors. */
export function createProgram(version: string, run: RunAction): Command {
  const program = new Command('gymwright')
    .description('Training environments of reinforcement-learning agents: a coach designs, a person steers.')
    .version(version, '-V, --version')
    .helpCommand(false)
    .configureHelp({ optionDescription })
    .addHelpText('after', afterHelp);
  for (const add of [
    addRunCommand,
    addRunsCommands,
    addEdlCommands,
    addScenariosCommand,
    addCoachCommands,
    addModelCommands,
    addPolicyCommands,
    addSimCommands,
    addDescribeCommand,
    addServeCommand,
    addDoctorCommand,
    addInitCommand,
  ]) {
    add(program, run);
  }
  return program;
}
