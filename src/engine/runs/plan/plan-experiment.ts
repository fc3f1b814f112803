import type { MeasuredCosts, PlanView } from '../../../shared/contract/plan.ts';
import { stepsPerIteration } from '../../../shared/rl/learner-config.ts';
import { planAtBoundary, tellShortage } from '../../coach/whatif/plan-trials.ts';
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
  const measured = measureCosts(tools, arms);
  const planned = arms.map((arm, i) => planArm(experiment, arm, seeds.length, measured[i] ?? null));
  const numRuns = planned.reduce((sum, each) => sum + each.numRuns, 0);
  const trainers = Math.max(1, Math.min(tools.trainers, numRuns));
  return {
    name,
    experimentPath: path,
    budget,
    seeds,
    arms: planned,
    trainers,
    ...sumCosts(planned, budget, trainers),
  };
}

/** Null where one of the arms was not measured. */
function sumCosts(
  arms: PlanView['arms'],
  { steps, rounds }: Experiment['budget'],
  trainers: number,
): Pick<PlanView, 'hours' | 'bytes'> {
  const perRun = arms.flatMap(({ measured, numRuns }) =>
    measured === null
      ? []
      : {
          numRuns,
          seconds: (measured.secondsPerMillionSteps * steps) / 1e6,
          bytes: measured.bytesPerRound * rounds,
        },
  );
  if (perRun.length < arms.length) return { hours: null, bytes: null };
  const ofAll = (cost: 'seconds' | 'bytes'): number =>
    perRun.reduce((sum, run) => sum + run[cost] * run.numRuns, 0);
  // A slow arm ends no sooner for having many trainers.
  const longest = Math.max(0, ...perRun.map(({ seconds }) => seconds));
  return { hours: Math.max(ofAll('seconds') / trainers, longest) / 3600, bytes: ofAll('bytes') };
}

function planArm(
  experiment: Experiment,
  arm: ArmSpec,
  numSeeds: number,
  measured: MeasuredCosts | null,
): PlanView['arms'][0] {
  const { budget, objective, evaluateEverySteps, heldOut } = experiment;
  const { provider, whatif, replay } = arm.coach;
  // The grid begins at step 0; a round that ends on a point of it is evaluated once.
  const evaluations = Math.ceil(budget.steps / evaluateEverySteps) + budget.rounds;
  const episodes = evaluations * objective.episodes + budget.rounds * heldOut.length * objective.episodes;
  const isTried = provider !== 'none' && whatif.share > 0;
  const shortage = isTried ? findShortage(budget, arm) : null;
  return {
    arm: arm.name,
    provider,
    ...(replay !== undefined && { replays: replay }),
    numRuns: numSeeds,
    chargedSteps: budget.steps * numSeeds,
    mostTrialSteps: isTried && shortage === null ? Math.floor(whatif.share * budget.steps) * numSeeds : 0,
    evaluations: evaluations * numSeeds,
    evaluationEpisodes: episodes * numSeeds,
    shortage,
    episodesPerTrialScore: isTried ? whatif.episodes : 0,
    measured,
  };
}

/** Null where some boundary can pay for the smallest trial; else why the last one, which may spend most, cannot. */
function findShortage({ steps, rounds }: Experiment['budget'], { coach, learner }: ArmSpec): string | null {
  const run = {
    config: coach,
    budgetSteps: steps,
    chargedSteps: 0,
    trialSteps: 0,
    stepsPerIteration: stepsPerIteration(learner),
    numRounds: rounds,
  };
  const boundaries = Array.from({ length: rounds - 1 }, (_, round) => round);
  const last = boundaries.at(-1);
  if (last === undefined) return 'one round has no boundary at which anything could be tried';
  if (boundaries.some((round) => planAtBoundary(run, round, 1) !== null)) return null;
  return tellShortage(run, last);
}
