import { type Command, CommanderError } from 'commander';
import { AppError } from '../../shared/std/app-error.ts';
import { stopWhenUnread } from './closed-output.ts';
import { asTyped } from './command-name.ts';
import type { CommandContext, RunAction } from './context.ts';
import { type ExitCode, exitCodeOf } from './exit-codes.ts';
import { watchLauncher } from './launcher.ts';
import { Output } from './output.ts';
import { createProgram } from './program.ts';
import type { Sessions } from './sessions.ts';

/** A second interrupt this much later ends the process at once; sooner it is the same key press, passed on twice. */
const forceAfterMs = 1000;

function abortOnSignals(
  stopsInOrder: boolean,
  onForce: () => void,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  let firstAt = 0;
  const interrupt = () => {
    if (!controller.signal.aborted) {
      firstAt = performance.now();
      controller.abort();
    } else if (performance.now() - firstAt > forceAfterMs) onForce();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  const unwatch = watchLauncher(interrupt);
  const unread = stopsInOrder ? stopWhenUnread(() => controller.abort()) : () => {};
  return {
    signal: controller.signal,
    release: () => {
      unwatch();
      unread();
      for (const signal of signals) process.off(signal, interrupt);
    },
  };
}

/** Whichever command waits for an engine that does not answer, an interrupt ends the wait. */
function endingWith(signal: AbortSignal, sessions: Sessions): Sessions {
  return { ...sessions, openEngine: (root) => sessions.openEngine(root, signal) };
}

/** Full command names for errors: "runs show", not "show". */
function hintOf(command: Command): string {
  const names: string[] = [];
  for (let each: Command | null = command; each !== null; each = each.parent) names.unshift(each.name());
  return asTyped(`see \`${names.join(' ')} --help\``);
}

function prepare(command: Command, output: { write(text: string): unknown }): void {
  command.exitOverride().configureOutput({
    writeErr: (text) => void output.write(text.replace(/^error: /, 'gymwright: ')),
    outputError: (text, write) => {
      const isEarly = command.commands.length > 0 && text.startsWith('error: unknown option');
      write(isEarly ? `${text.trimEnd()}; options come after the whole command\n` : text);
    },
  });
  command.showHelpAfterError(`(${hintOf(command)})`);
  for (const child of command.commands) prepare(child, output);
}

/**
 * Runs one command line and resolves to its exit code. Nothing is thrown: a bad line is told on stderr with the
 * nearest known name, a failure with what it was about.
 */
export async function runCommandLine(
  args: readonly string[],
  version: string,
  sessions: Sessions,
): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const act: RunAction = async (options, work, { stopsInOrder } = { stopsInOrder: false }) => {
    const output = new Output(options.json === true);
    const { signal, release } = abortOnSignals(stopsInOrder, () => process.exit(1));
    const context: CommandContext = { output, sessions: endingWith(signal, sessions), signal };
    try {
      exitCode = (await work(context)) || 0;
    } catch (thrown) {
      const error = AppError.from(thrown);
      output.error(error);
      if (error.code === 'internal' && error.cause instanceof Error) output.note(error.cause.stack ?? '');
      exitCode = exitCodeOf(error.code);
    } finally {
      release();
    }
  };
  const program = createProgram(version, act);
  prepare(program, process.stderr);
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    return thrown.exitCode === 0 ? 0 : 2;
  }
  return exitCode;
}
