import type { PlanView } from '../../../shared/contract/plan.ts';
import { requireExperiment } from '../experiment.ts';
import { nameReplayed } from '../replay-source.ts';
import { requireCoaches } from '../require-coaches.ts';
import type { SupervisorOptions } from '../services.ts';
import { selectArms } from '../study-records.ts';
import { createExperimentHost, readExperimentFile } from '../workspace-host.ts';
import { type PlanTools, planExperiment } from './plan-experiment.ts';

export interface PlanRequest {
  /** Relative to the workspace, or absolute. */
  readonly experimentPath: string;
  readonly arm: string | null;
  readonly seed: number | null;
}

/**
 * Checks an experiment file as a start would, and says what executing it will take. Starts nothing.
 * Throws: workspace.notFound, experiment.invalid; input.invalid where the key of an endpoint is missing, or a ranker is none of this version.
 */
export function planFile(
  tools: PlanTools & Pick<SupervisorOptions, 'edl' | 'learners' | 'checkPrompt'>,
  { experimentPath, arm, seed }: PlanRequest,
): PlanView {
  const file = readExperimentFile(tools.root, experimentPath);
  const checked = requireExperiment(file.text, file.path, createExperimentHost(tools.root, tools));
  const selection = { arm, seed };
  const experiment = nameReplayed(tools.store, checked, selection);
  requireCoaches(selectArms(experiment, selection), tools.root);
  return planExperiment(tools, experiment, selection);
}
