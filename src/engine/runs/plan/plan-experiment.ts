import type { PlanView } from '../../../shared/contract/plan.ts';
import type { StoreReader } from '../../store/index.ts';
import type { ArmSpec, Experiment } from '../experiment-types.ts';
import { type StudySelection, selectArms } from '../study-records.ts';
import { measureCosts } from './measured-costs.ts';

export interface PlanTools {
  readonly store: StoreReader;
  /** Absolute path of the workspace. */
  readonly root: string;
  /** Runs at work at the same time. */
  readonly trainers: number;
}

/** What executing an experiment will take. Throws: experiment.invalid for an arm that it does not have. */
export function planExperiment(
  tools: PlanTools,
  experiment: Experiment,
  selection: StudySelection = { arm: null, seed: null },
): PlanView {
  const { name, path, budget } = experiment;
  const arms = selectArms(experiment, selection);
  const seeds = selection.seed === null ? [...experiment.seeds] : [selection.seed];
  const [first] = arms;
  const measured = first === undefined ? null : measureCosts(tools, first);
  const planned = arms.map((arm) => planArm(experiment, arm, seeds.length));
  const numRuns = planned.reduce((sum, each) => sum + each.numRuns, 0);
  const trainers = Math.max(1, Math.min(tools.trainers, numRuns));
  const millions = planned.reduce((sum, { chargedSteps }) => sum + chargedSteps, 0) / 1e6;
  return {
    name,
    experimentPath: path,
    budget,
    seeds,
    arms: planned,
    trainers,
    measured,
    hours: measured === null ? null : (measured.secondsPerMillionSteps * millions) / trainers / 3600,
    bytes: measured === null ? null : measured.bytesPerRound * budget.rounds * numRuns,
  };
}

function planArm(experiment: Experiment, arm: ArmSpec, numSeeds: number): PlanView['arms'][0] {
  const { budget, objective, evaluateEverySteps, heldOut } = experiment;
  const { provider, whatif } = arm.coach;
  // The grid begins at step 0; a round that ends on a point of it is evaluated once.
  const evaluations = Math.ceil(budget.steps / evaluateEverySteps) + budget.rounds;
  const episodes = evaluations * objective.episodes + budget.rounds * heldOut.length * objective.episodes;
  const isTried = provider !== 'none' && whatif.share > 0;
  return {
    arm: arm.name,
    provider,
    numRuns: numSeeds,
    chargedSteps: budget.steps * numSeeds,
    mostTrialSteps: isTried ? Math.floor(whatif.share * budget.steps) * numSeeds : 0,
    evaluations: evaluations * numSeeds,
    evaluationEpisodes: episodes * numSeeds,
    episodesPerTrialScore: isTried ? whatif.episodes : 0,
  };
}
