import { setTimeout } from 'node:timers/promises';
import type { Client } from '../../shared/contract/index.ts';
import { openStates } from '../../shared/contract/open-states.ts';
import type { Output } from './output.ts';

const lookEveryMs = 1000;

/**
 * Other commands may have handed their studies to the engine of this one, which ends with it: waits until they are done, or until
 * the person interrupts, which stops them after a checkpoint as the engine closes.
 */
export async function stayForOthers(
  { runs }: { readonly runs: Pick<Client['runs'], 'list'> },
  output: Pick<Output, 'note'>,
  signal: AbortSignal,
  everyMs = lookEveryMs,
): Promise<void> {
  let isTold = false;
  for (;;) {
    const others = (await runs.list({})).filter(({ state }) => openStates.includes(state));
    if (others.length === 0 || signal.aborted) return;
    const names = others.map(({ studyId }) => studyId).join(', ');
    if (!isTold) output.note(`another command trains ${names} here: this one stays until that is done`);
    isTold = true;
    await setTimeout(everyMs, undefined, { signal }).catch(() => {});
  }
}
