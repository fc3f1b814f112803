import type { ProbeView } from '../../../shared/contract/coach-probe.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import type { CoachConfig } from '../config.ts';
import type { ModelIdentity } from '../types.ts';
import { besideShuffled } from './beside-shuffled.ts';
import { readDefects } from './defect-files.ts';
import { openKnownAnswers } from './known-answers.ts';
import { answersFile, keepProbe, readProbes } from './probe-results.ts';
import { type ProbeDependencies, type ProbeOptions, runProbe } from './run-probe.ts';

/** Who is probed, with full paths, and by what. */
export interface ProbeRequest {
  readonly coach: CoachConfig;
  readonly isShuffled: boolean;
}

/**
 * Probes somebody on the shipped defects and keeps the result in the workspace. Throws: as `runProbe` and `keepProbe`; input.invalid
 * for who cannot choose among given edits.
 */
export async function probeWorkspace(
  deps: Omit<ProbeDependencies, 'known'>,
  root: string,
  { coach, isShuffled }: ProbeRequest,
  signal: AbortSignal,
): Promise<ProbeView> {
  const { model, scorer, prompt, llama } = coach;
  const provider = requireChoosing(coach);
  const known = (model: ModelIdentity) => openKnownAnswers(answersFile(root, model));
  const options = { provider, model, scorer, prompt, isShuffled, llama };
  const result = await runProbe({ ...deps, known }, readDefects(), options, signal);
  keepProbe(root, result);
  return besideShuffled(result, readProbes(root));
}

function requireChoosing({ provider }: CoachConfig): ProbeOptions['provider'] {
  switch (provider) {
    case 'http':
      throw new AppError(
        'input.invalid',
        'an endpoint tells no probabilities of given texts, and a probe is a choice among given edits: provider llama can be probed',
      );
    case 'replay':
    case 'none':
      throw new AppError('input.invalid', `provider ${provider} chooses nothing: there is nothing to probe`);
    default:
      return provider;
  }
}
