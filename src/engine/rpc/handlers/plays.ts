import type { DomainHandlers } from '../../../shared/contract/define.ts';
import type { policies } from '../../../shared/contract/policies.ts';
import { listPlayable, type PlaySources, playRun } from '../../runs/index.ts';

type Plays = Pick<DomainHandlers<typeof policies>, 'playable' | 'play' | 'cancelPlay'>;

/** Plays of runs' policies; each can be ended by the ticket it was asked with. */
export function createPlays(sources: PlaySources): Plays {
  const underWay = new Map<string, AbortController>();
  return {
    playable: ({ runId }) => listPlayable(sources.store, runId),
    async play(args) {
      const { ticket } = args;
      if (ticket === undefined) return playRun(sources, args);
      const control = new AbortController();
      underWay.set(ticket, control);
      try {
        return await playRun(sources, args, control.signal);
      } finally {
        // Another play may have the ticket by now.
        if (underWay.get(ticket) === control) underWay.delete(ticket);
      }
    },
    cancelPlay({ ticket }) {
      underWay.get(ticket)?.abort();
      return {};
    },
  };
}
