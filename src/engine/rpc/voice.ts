import type { LogLine } from '../../shared/contract/engine.ts';
import type { EventName, EventPayload } from '../../shared/contract/events.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { createDispatch, type DispatchOptions, type Handlers } from './dispatcher.ts';
import { createEventHub, type EventHub } from './event-hub.ts';
import { createLogRing, type LogRing } from './log-ring.ts';
import type { Served } from './serve-channel.ts';

/** Events and log of one engine, before it has handlers. */
export interface Voice {
  readonly hub: EventHub;
  readonly log: LogRing;
  emit<E extends EventName>(event: E, payload: EventPayload<E>): void;
  /** Puts a line into the log and tells it. */
  write(level: LogLine['level'], message: string): void;
}

/** Every `log.appended` that passes goes into the ring too. */
export function createVoice(): Voice {
  const log = createLogRing();
  const hub = createEventHub((error) =>
    log.add(logLine('error', `a listener failed: ${AppError.from(error).message}`)),
  );
  const emit: Voice['emit'] = (event, payload) => {
    if (event === 'log.appended') log.add(payload as LogLine);
    hub.emit(event, payload);
  };
  return { hub, log, emit, write: (level, message) => emit('log.appended', logLine(level, message)) };
}

function logLine(level: LogLine['level'], message: string): LogLine {
  return { at: Date.now(), level, source: 'engine', runId: null, message };
}

/** Handlers and a voice together: what transports connect to. Defects are logged with their stack. */
export function createServed(
  handlers: Handlers,
  voice: Voice,
  options: Pick<DispatchOptions, 'checkResults'> = {},
): Served {
  const dispatch = createDispatch(handlers, {
    ...options,
    onDefect: (call, error) => {
      const cause = error.cause instanceof Error ? error.cause : error;
      voice.write('error', `${call} failed unexpectedly: ${cause.stack ?? error.message}`);
    },
  });
  return { dispatch, subscribe: voice.hub.subscribe };
}
