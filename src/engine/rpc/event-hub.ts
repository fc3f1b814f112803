import type { EventName, EventPayload } from '../../shared/contract/events.ts';
import type { MetricPoint, RunView } from '../../shared/contract/runs.ts';

export type EventListener = (event: EventName, payload: unknown) => void;

/** Spreads the engine's events. Metrics and mere progress of a run are gathered, so that a fast run cannot flood a window. */
export interface EventHub {
  emit<E extends EventName>(event: E, payload: EventPayload<E>): void;
  /** Returns the function that unsubscribes. */
  subscribe(listener: EventListener): () => void;
  /** Delivers what is still gathered. */
  flush(): void;
}

/** At most about ten deliveries per second and run. */
const windowMs = 100;

/** What a listener must not miss: anything but steps, speed and the like. */
function landmark(run: RunView): string {
  return JSON.stringify([run.state, run.round, run.objective, run.parameterHash, run.error]);
}

/**
 * Events arrive in the order they were emitted, but points of one run inside a window come as one event (none is lost), and of
 * a run's progress only the latest. Everything else is delivered at once, after what was gathered before it.
 */
export function createEventHub(onListenerError: (error: unknown) => void): EventHub {
  const listeners = new Set<EventListener>();
  const points = new Map<string, MetricPoint[]>();
  const progress = new Map<string, RunView>();
  const landmarks = new Map<string, string>();
  let timer: NodeJS.Timeout | null = null;

  const deliver: EventListener = (event, payload) => {
    for (const listener of [...listeners]) {
      try {
        listener(event, payload);
      } catch (error) {
        onListenerError(error);
      }
    }
  };
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const [runId, gathered] of points) deliver('metrics.appended', { runId, points: gathered });
    points.clear();
    for (const run of progress.values()) deliver('run.changed', run);
    progress.clear();
  };
  const gather = (): void => {
    timer ??= setTimeout(flush, windowMs);
  };
  const emitMetrics = ({ runId, points: added }: EventPayload<'metrics.appended'>): void => {
    const gathered = points.get(runId);
    if (gathered === undefined) points.set(runId, [...added]);
    else gathered.push(...added);
    gather();
  };
  const emitRun = (run: RunView): void => {
    const mark = landmark(run);
    progress.set(run.runId, run);
    if (landmarks.get(run.runId) === mark) {
      gather();
      return;
    }
    landmarks.set(run.runId, mark);
    flush();
  };
  return {
    emit(event, payload) {
      if (event === 'metrics.appended') emitMetrics(payload as EventPayload<'metrics.appended'>);
      else if (event === 'run.changed') emitRun(payload as RunView);
      else {
        flush();
        deliver(event, payload);
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    flush,
  };
}
