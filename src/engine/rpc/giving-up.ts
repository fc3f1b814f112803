import type { Transport } from '../../shared/contract/transport.ts';
import type { AppError } from '../../shared/std/app-error.ts';

/** A call that is at hand in every engine and costs it nothing. */
const sign = 'engine.status';
/** So often is an engine asked for a sign of life before its silence is long enough. */
const numAsked = 5;
/** An engine that lives gives a sign of it within this, also while it is at work. */
const signMs = 500;

interface Patience {
  /** So long without a sign of life, and a call is given up. */
  readonly silentMs: number;
  /** On abort a call is given up where no sign of life comes soon; of a living engine it is waited for. */
  readonly signal?: AbortSignal;
  readonly silent: (call: string) => AppError;
  readonly interrupted: (call: string) => AppError;
}

/**
 * The same transport, whose calls are given up when the other side does not answer, as a process that was stopped. A call may
 * take its time: the other side is asked for a sign of life meanwhile.
 */
export function givingUp(transport: Transport, patience: Patience): Transport {
  const request = (call: string, args: unknown): Promise<unknown> => {
    const answer = transport.request(call, args);
    const { given, release } = watchFor(transport, patience, call);
    return Promise.race([answer, given]).finally(release);
  };
  return { ...transport, request };
}

/** `given` rejects when the call is to be given up, and never resolves. */
function watchFor(
  transport: Transport,
  { silentMs, signal, silent, interrupted }: Patience,
  call: string,
): { readonly given: Promise<never>; readonly release: () => void } {
  let onSign = (): void => {};
  // Counted, not timed: this process may have been stopped itself, with the signs of life still to be read.
  let numMissed = 0;
  let isWaiting = false;
  const ask = (): void => {
    isWaiting = true;
    const heard = (): void => {
      isWaiting = false;
      numMissed = 0;
      onSign();
    };
    transport.request(sign, {}).then(heard, heard);
  };
  let release = (): void => {};
  const given = new Promise<never>((_, reject) => {
    const look = (): void => {
      if (!isWaiting) ask();
      else if (++numMissed >= numAsked) reject(silent(call));
    };
    const interrupt = (): void => {
      const grace = setTimeout(() => reject(interrupted(call)), numMissed > 0 ? 0 : signMs);
      onSign = () => clearTimeout(grace);
      ask();
    };
    const interval = setInterval(look, silentMs / numAsked);
    signal?.addEventListener('abort', interrupt, { once: true });
    release = () => {
      clearInterval(interval);
      onSign();
      signal?.removeEventListener('abort', interrupt);
    };
    ask();
  });
  return { given, release };
}
