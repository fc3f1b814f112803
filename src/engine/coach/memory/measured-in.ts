import { z } from 'zod';
import { sha256 } from '../../files/index.ts';
import type { CoachStore, RoundContext } from '../types.ts';
import type { ExperienceEntry } from './experience.ts';

const onRecord = z.looseObject({
  objective: z.looseObject({ identity: z.string(), opponents: z.record(z.string(), z.string()).default({}) }),
});

/**
 * By what a run's objective is the same as another's, beside its metric: the environment that it is measured in, and who plays
 * there. Null where the run's configuration does not say.
 */
export function measuredIn(configuration: unknown): string | null {
  const { success, data } = onRecord.safeParse(configuration);
  if (!success) return null;
  const { identity, opponents } = data.objective;
  const players = Object.entries(opponents).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([identity, players]));
}

/** What a run is to improve, as entries tell it. */
export function objectiveHere(
  { runs }: Pick<CoachStore, 'runs'>,
  { runId, objective: { metric, group, better } }: Pick<RoundContext, 'runId' | 'objective'>,
): ExperienceEntry['objective'] {
  return { metric, group, better, measuredIn: measuredIn(runs.get(runId).configuration) };
}
