import type { MemoryEntry } from '../../../shared/contract/coach-memory.ts';
import type { StoreReader } from '../../store/index.ts';
import { collectExperience } from './collect-experience.ts';
import { hasHelped } from './experience.ts';
import { readFrozenExperience } from './frozen-experience.ts';
import { issuesOf } from './situation.ts';

/**
 * What a study that begins now could learn from, of all scenarios, and what is forgotten; or, by its hash, what a study froze as it
 * began. Newest first. Throws, for a hash: store.notFound, store.corrupt.
 */
export function listMemory(store: StoreReader, frozen: string | null = null): MemoryEntry[] {
  const forgotten = new Set(store.memory.listForgotten());
  const entries =
    frozen === null
      ? collectExperience(store, { scenarios: null, forgotten: new Set(), limit: null })
      : readFrozenExperience(store, frozen).entries;
  return entries.map((entry) => {
    const { source, scenario, changes, label, author, isRolledBack, measured, brokeDown, createdAt } = entry;
    const { metric, group, better } = entry.objective;
    return {
      proposalId: source.proposal,
      studyId: source.study,
      situation: {
        arm: source.arm,
        seed: source.seed,
        round: source.round,
        issues: issuesOf(entry.situation),
      },
      scenario,
      objective: { metric, group, better },
      provider: source.provider,
      model: source.model,
      changes: changes.map(({ op, target, edl }) => ({ op, target, edl })),
      label,
      author,
      isRolledBack,
      measured,
      brokeDown,
      wasDecided: store.trials.wasDecided(source.proposal),
      hasHelped: hasHelped(entry),
      isForgotten: forgotten.has(source.proposal),
      createdAt,
    };
  });
}
