import type { ExitCode } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { Sessions } from './sessions.ts';

/** What a command is given. */
export interface CommandContext {
  readonly output: Output;
  readonly sessions: Sessions;
  /** Aborts on the first SIGINT or SIGTERM; of work that is stopped in order also when nobody reads its output any more. */
  readonly signal: AbortSignal;
}

/** Runs a command's work and keeps its exit code (ok unless it says otherwise); what it throws becomes a message. */
export type RunAction = (
  options: { readonly json?: true },
  work: (context: CommandContext) => Promise<ExitCode> | Promise<void>,
  how?: { readonly stopsInOrder: boolean },
) => Promise<void>;
