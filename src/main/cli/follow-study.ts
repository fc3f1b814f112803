import type { Client } from '../../shared/contract/index.ts';
import type { RunView, StudyView } from '../../shared/contract/runs.ts';
import { AppError } from '../../shared/std/app-error.ts';
import type { EngineSession } from './sessions.ts';
import { type StudyLine, StudyNarrator } from './study-lines.ts';

const endStates: ReadonlySet<string> = new Set(['finished', 'failed', 'stopped', 'interrupted']);
/** An engine that no longer answers is found out by asking. */
const heartbeatMs = 2000;
/** So long without an answer, it may be stopped; one that is busy has answered before. */
const silentAfterMs = 10_000;

export interface StudyFollower {
  readonly onStart: (study: StudyView) => void;
  readonly onLine: (line: StudyLine) => void;
  readonly onRun: (run: RunView) => void;
  /** The person interrupted and a checkpoint is being written. */
  readonly onStopping: () => void;
  /** The engine has not answered for a while; told once each time. It is waited for, and an interrupt ends that at once. */
  readonly onSilence: () => void;
}

interface FollowOptions {
  /** For tests. */
  readonly heartbeatMs?: number;
  readonly silentAfterMs?: number;
}

/** Calls `tell` for everything the engine says of one study, in order, once the study is known. */
function subscribe(
  client: Client,
  tell: (narrate: (known: Known) => StudyLine[], run?: RunView) => void,
): () => void {
  const runs = new Map<string, RunView>();
  const unsubscribers = [
    client.on('run.changed', (run) => {
      runs.set(run.runId, run);
      tell(({ studyId, narrator }) => (run.studyId === studyId ? narrator.onRun(run) : []), run);
    }),
    client.on('metrics.appended', ({ runId, points }) => {
      tell(({ studyId, narrator, initialRuns }) => {
        const run = runs.get(runId) ?? initialRuns.get(runId);
        return run?.studyId === studyId ? narrator.onMetrics(run, points) : [];
      });
    }),
    client.on('proposal.changed', (proposal) => {
      tell(({ studyId, narrator }) => (proposal.studyId === studyId ? narrator.onProposal(proposal) : []));
    }),
  ];
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe();
  };
}

interface Known {
  readonly studyId: string;
  readonly narrator: StudyNarrator;
  readonly initialRuns: ReadonlyMap<string, RunView>;
}

/**
 * Starts a study and follows it to its end; resolves to the last view. On abort the study is stopped after a
 * checkpoint. Throws what `start` throws, and rpc.disconnected when the engine goes away meanwhile.
 */
export async function followStudy(
  { client, unhurried }: Pick<EngineSession, 'client' | 'unhurried'>,
  start: () => Promise<StudyView>,
  follower: StudyFollower,
  signal: AbortSignal,
  options: FollowOptions = {},
): Promise<StudyView> {
  let known: Known | null = null;
  const waiting: (() => void)[] = [];
  const unsubscribe = subscribe(client, (narrate, run) => {
    const deliver = () => {
      if (known === null) return;
      if (run !== undefined && run.studyId === known.studyId) follower.onRun(run);
      for (const line of narrate(known)) follower.onLine(line);
    };
    if (known === null) waiting.push(deliver);
    else deliver();
  });
  try {
    const startedAt = Date.now();
    const study = await start();
    const earlier = await client.coach.list({ studyId: study.studyId });
    const narrator = new StudyNarrator(
      study,
      earlier.filter(({ createdAt }) => createdAt < startedAt),
    );
    known = {
      studyId: study.studyId,
      narrator,
      initialRuns: new Map(study.runs.map((run) => [run.runId, run])),
    };
    follower.onStart(study);
    follower.onLine(narrator.started(study));
    for (const deliver of waiting.splice(0)) deliver();
    const last = await waitForEnd(unhurried, study.studyId, follower, signal, options);
    for (const run of last.runs) for (const line of narrator.onRun(run)) follower.onLine(line);
    follower.onLine(narrator.ended(last));
    return last;
  } finally {
    unsubscribe();
  }
}

/** Whether an engine that was asked has been silent for long. */
class Silence {
  isKnown = false;
  #askedAt: number | null = null;
  readonly #afterMs: number;

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  get isWaiting(): boolean {
    return this.#askedAt !== null;
  }

  asked(): void {
    this.#askedAt = performance.now();
  }

  readonly answered = (): void => {
    this.#askedAt = null;
    this.isKnown = false;
  };

  hasJustBegun(): boolean {
    if (this.isKnown || this.#askedAt === null || performance.now() - this.#askedAt < this.#afterMs)
      return false;
    this.isKnown = true;
    return true;
  }
}

function gaveUp(): AppError {
  return new AppError(
    'run.cancelled',
    'it was interrupted while the engine did not answer: the study stands where that engine left it',
  );
}

function waitForEnd(
  client: Client,
  studyId: string,
  follower: StudyFollower,
  signal: AbortSignal,
  options: FollowOptions,
): Promise<StudyView> {
  const releases: (() => void)[] = [];
  const ended = new Promise<StudyView>((resolve, reject) => {
    const settle = (study: StudyView) => {
      if (study.studyId === studyId && endStates.has(study.state)) resolve(study);
    };
    const silence = new Silence(options.silentAfterMs ?? silentAfterMs);
    const look = () => {
      if (silence.isWaiting) {
        if (silence.hasJustBegun()) follower.onSilence();
        return;
      }
      silence.asked();
      client.runs.get({ studyId }).finally(silence.answered).then(settle, reject);
    };
    const stop = () => {
      if (silence.isKnown) return reject(gaveUp());
      follower.onStopping();
      client.runs.stop({ studyId }).then(settle, reject);
    };
    const heartbeat = setInterval(look, options.heartbeatMs ?? heartbeatMs);
    signal.addEventListener('abort', stop, { once: true });
    releases.push(
      client.on('study.changed', settle),
      () => clearInterval(heartbeat),
      () => signal.removeEventListener('abort', stop),
    );
    if (signal.aborted) stop();
    look();
  });
  return ended.finally(() => {
    for (const release of releases) release();
  });
}
