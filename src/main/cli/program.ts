import { Command } from 'commander';
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

/** The whole command line; one file a command group. `run` decides what happens to results and errors. */
export function createProgram(version: string, run: RunAction): Command {
  const program = new Command('gymwright')
    .description('Training environments of reinforcement-learning agents: a coach designs, a person steers.')
    .version(version, '-V, --version')
    .helpCommand(false)
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
