import { resolve } from 'node:path';
import type { AskedCoach } from '../../shared/contract/coach-asked.ts';
import { AppError } from '../../shared/std/app-error.ts';
import type { CoachConfig } from '../coach/config.ts';
import { requireExperiment } from './experiment.ts';
import { withFullPaths } from './experiment-coach.ts';
import { coachDefaults } from './experiment-schema.ts';
import type { ArmSpec, Experiment } from './experiment-types.ts';
import type { SupervisorOptions } from './services.ts';
import { selectArms } from './study-records.ts';
import { createExperimentHost, readExperimentFile } from './workspace-host.ts';

export type CoachTools = Pick<SupervisorOptions, 'root' | 'edl' | 'learners' | 'checkPrompt'>;

/**
 * The coach that a question outside a run is put to: that of an experiment's arm with all its settings, or one by name with
 * the defaults of experiment files. The file is checked as at a start. Its paths are full.
 *
 * Throws: input.invalid; workspace.notFound, experiment.invalid.
 */
export function findAskedCoach(tools: CoachTools, asked: AskedCoach): CoachConfig {
  const { provider, model, prompt, experiment, arm } = asked;
  if (experiment === undefined) {
    if (arm !== undefined)
      throw new AppError('input.invalid', `"${arm}" is an arm of which experiment? Name its file, too`);
    const named = { provider: provider ?? coachDefaults.provider, prompt: prompt ?? null };
    return { ...coachDefaults, ...named, model: model === undefined ? null : resolve(tools.root, model) };
  }
  if (provider !== undefined || model !== undefined || prompt !== undefined) {
    const message = `provider, model and prompt are those of ${experiment}: leave them out, or leave the experiment out`;
    throw new AppError('input.invalid', message);
  }
  const file = readExperimentFile(tools.root, experiment);
  const checked = requireExperiment(file.text, file.path, createExperimentHost(tools.root, tools));
  return withFullPaths(findArm(checked, arm).coach, tools.root);
}

/** The arm that is named, else the only one with a coach. */
function findArm(experiment: Experiment, name: string | undefined): ArmSpec {
  const hasCoach = ({ coach }: ArmSpec): boolean => coach.provider !== 'none';
  const { path } = experiment;
  const found = selectArms(experiment, { arm: name ?? null, seed: null }).filter(hasCoach);
  const [only] = found;
  if (only === undefined)
    throw new AppError(
      'input.invalid',
      name === undefined ? `no arm of ${path} has a coach` : `arm "${name}" of ${path} has no coach`,
    );
  if (found.length === 1) return only;
  const names = found.map((each) => each.name).join(', ');
  throw new AppError('input.invalid', `several arms of ${path} have a coach: name one of ${names}`, {
    data: { arms: found.map((each) => each.name) },
  });
}
