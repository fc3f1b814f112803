import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '../../shared/contract/index.ts';
import type { PlayableView, PolicyPlayView } from '../../shared/contract/policies.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { failed, type Loadable, pending, ready } from './loadable.ts';

/** Which episode is to be watched. */
export interface WatchChoice {
  /** Whose policies play; null: the latest. */
  readonly round: number | null;
  readonly environment: 'objective' | 'training';
  /** Round whose training environment it is; null: the one in force. */
  readonly trainedIn: number | null;
  /** As typed; empty: the stream that the run is scored on. */
  readonly seed: string;
  /** Index in the stream. */
  readonly episode: number;
}

export type WatchedPlay = { readonly status: 'idle' } | Loadable<PolicyPlayView>;

export interface WatchState {
  readonly runId: string | null;
  readonly playable: Loadable<PlayableView>;
  readonly choice: WatchChoice;
  readonly play: WatchedPlay;
}

export interface WatchModel {
  readonly store: StoreApi<WatchState>;
  /** Another run; what was asked of the one before is forgotten. The same run again is a no-op. */
  watch(runId: string): void;
  /** Reads anew what of the run can be watched: a round more may have ended. */
  refresh(): Promise<void>;
  choose(change: Partial<WatchChoice>): void;
  /** Plays the episode that is chosen; ends one that is under way. What is no seed plays, and ends, nothing. */
  start(): Promise<void>;
  /** The same for the next episode of the stream. */
  next(): Promise<void>;
  cancel(): void;
}

const firstChoice: WatchChoice = {
  round: null,
  environment: 'objective',
  trainedIn: null,
  seed: '',
  episode: 0,
};

/** The seed as a number, undefined for none; null where what is typed is no seed. */
export function readSeed(typed: string): number | undefined | null {
  const text = typed.trim();
  if (text === '') return undefined;
  const seed = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(seed) ? seed : null;
}

/** The episode of a run that a window watches. */
export function createWatchModel(client: Client, session: string = crypto.randomUUID()): WatchModel {
  const store = createStore<WatchState>(() => ({
    runId: null,
    playable: pending,
    choice: firstChoice,
    play: { status: 'idle' },
  }));
  /** Of the last play; an answer to an earlier one is not shown. */
  let turn = 0;
  let ticket: string | null = null;

  const cancel = (): void => {
    turn += 1;
    // Whether it could be ended or was over already makes no difference here.
    if (ticket !== null) client.policies.cancelPlay({ ticket }).catch(() => undefined);
    ticket = null;
    if (store.getState().play.status === 'pending') store.setState({ play: { status: 'idle' } });
  };

  const refresh = async (): Promise<void> => {
    const { runId } = store.getState();
    if (runId === null) return;
    const show = (playable: WatchState['playable']): void => {
      if (store.getState().runId === runId) store.setState({ playable });
    };
    try {
      show(ready(await client.policies.playable({ runId })));
    } catch (thrown) {
      show(failed(thrown));
    }
  };

  const start = async (): Promise<void> => {
    const { runId, choice } = store.getState();
    const seed = readSeed(choice.seed);
    if (runId === null || seed === null) return;
    cancel();
    const own = turn;
    ticket = `${session}-${own}`;
    store.setState({ play: pending });
    const show = (play: WatchedPlay): void => {
      if (own !== turn) return;
      ticket = null;
      store.setState({ play });
    };
    try {
      const view = await client.policies.play({
        runId,
        environment: choice.environment,
        episode: choice.episode,
        ticket,
        ...(choice.round !== null && { round: choice.round }),
        ...(choice.environment === 'training' &&
          choice.trainedIn !== null && { trainedIn: choice.trainedIn }),
        ...(seed !== undefined && { seed }),
      });
      show(ready(view));
    } catch (thrown) {
      const isCancelled = thrown instanceof AppError && thrown.code === 'run.cancelled';
      show(isCancelled ? { status: 'idle' } : failed(thrown));
    }
  };

  const choose = (change: Partial<WatchChoice>): void =>
    store.setState(({ choice }) => ({ choice: { ...choice, ...change } }));

  return {
    store,
    watch(runId) {
      if (store.getState().runId === runId) return;
      cancel();
      store.setState({ runId, playable: pending, choice: firstChoice, play: { status: 'idle' } });
      void refresh();
    },
    refresh,
    choose,
    start,
    next() {
      if (readSeed(store.getState().choice.seed) === null) return Promise.resolve();
      choose({ episode: store.getState().choice.episode + 1 });
      return start();
    },
    cancel,
  };
}
