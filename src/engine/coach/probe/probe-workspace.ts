import { resolve } from 'node:path';
import type { z } from 'zod';
import type { coach } from '../../../shared/contract/coach.ts';
import type { ProbeView } from '../../../shared/contract/coach-probe.ts';
import { readDefects } from './defect-files.ts';
import { openKnownAnswers } from './known-answers.ts';
import { answersFile, keepProbe } from './probe-results.ts';
import { type ProbeDependencies, runProbe } from './run-probe.ts';

/** Probes somebody on the shipped defects and keeps the result in the workspace. Throws: as `runProbe` and `keepProbe`. */
export async function probeWorkspace(
  deps: Omit<ProbeDependencies, 'known'>,
  root: string,
  { provider, model, prompt, shuffled }: z.output<typeof coach.probe.args>,
): Promise<ProbeView> {
  const path = model === undefined ? null : resolve(root, model);
  const known = (modelHash: string) => openKnownAnswers(answersFile(root, modelHash));
  const result = await runProbe({ ...deps, known }, readDefects(), {
    ...{ provider, model: path, prompt: prompt ?? null, isShuffled: shuffled },
  });
  keepProbe(root, result);
  return result;
}
