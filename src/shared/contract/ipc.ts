import type { AppError } from '../std/app-error.ts';
import type { Channel } from './channel.ts';

/** The part of a child process (seen from its parent) or of `process` (seen from the child) that carries messages. */
export interface IpcEndpoint {
  readonly connected?: boolean;
  send?(message: unknown): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
}

/**
 * Messages over the IPC of `child_process.fork` with `serialization: 'advanced'`, which carries typed arrays as they are.
 * `reasonOfClose` says why the channel ended, once it has.
 */
export function ipcChannel(endpoint: IpcEndpoint, reasonOfClose: () => AppError): Channel {
  return {
    send(message) {
      if (endpoint.connected === true) endpoint.send?.(message);
    },
    onMessage: (listener) => void endpoint.on('message', listener),
    onClose: (listener) => void endpoint.on('disconnect', () => listener(reasonOfClose())),
    close: () => undefined,
  };
}
