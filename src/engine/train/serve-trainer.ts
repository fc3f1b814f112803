import type { TrainerDependencies } from './dependencies.ts';
import type { TrainerCommand, TrainerEvent } from './protocol.ts';
import { TrainerSession } from './trainer-session.ts';

/** The side of a forked process that a trainer needs; `process` has it. */
export interface TrainerPort {
  readonly ppid: number;
  readonly connected: boolean;
  send?(message: TrainerEvent): boolean;
  on(event: 'message', listener: (message: TrainerCommand) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
  exit(code: number): void;
}

const watchEveryMs = 1000;

/**
 * Serves one run over a process's IPC channel. A trainer never outlives its parent: it ends when the channel closes
 * and, should that go unnoticed, when it has been given to another parent.
 */
export function serveTrainer(port: TrainerPort, deps: TrainerDependencies): void {
  const parent = port.ppid;
  const session = new TrainerSession(deps, (event) => {
    if (port.connected) port.send?.(event);
  });
  port.on('message', (command) => session.handle(command));
  port.on('disconnect', () => port.exit(0));
  setInterval(() => {
    if (port.ppid !== parent) port.exit(0);
  }, watchEveryMs).unref();
}
