import type { MemoryEntry } from '../../../shared/contract/coach-memory.ts';
import type { StoreReader } from '../../store/index.ts';
import { collectExperience } from './collect-experience.ts';
import { hasHelped } from './experience.ts';

/** What a study that begins now could learn from, of all scenarios, and what is forgotten; newest first. */
export function listMemory(store: StoreReader): MemoryEntry[] {
  const forgotten = new Set(store.memory.listForgotten());
  return collectExperience(store, { scenarios: null, forgotten: new Set(), limit: null }).map((entry) => {
    const { source, scenario, changes, label, author, isRolledBack, measured, brokeDown, createdAt } = entry;
    const { metric, group, better } = entry.objective;
    return {
      proposalId: source.proposal,
      studyId: source.study,
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
      hasHelped: hasHelped(entry),
      isForgotten: forgotten.has(source.proposal),
      createdAt,
    };
  });
}
