import { z } from 'zod';
import type { ArmSummary } from '../../shared/contract/runs.ts';
import type { RunRecord } from '../store/index.ts';

const coached = z.looseObject({
  coach: z.looseObject({ provider: z.string(), model: z.string().nullable() }),
});

/** Who coaches a run, as its experiment says, whoever answered a single question; null: nobody. */
export function readArmCoach(run: Pick<RunRecord, 'configuration'> | undefined): ArmSummary['coach'] {
  const coach = coached.safeParse(run?.configuration).data?.coach;
  if (coach === undefined || coach.provider === 'none') return null;
  return { provider: coach.provider, model: coach.model };
}
