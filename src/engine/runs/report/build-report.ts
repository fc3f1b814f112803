import type { Reports, ReportView } from '../../../shared/contract/report.ts';
import { mean, pairedDifferences } from '../../../shared/std/statistics.ts';
import { besideShuffled } from '../../coach/probe/beside-shuffled.ts';
import { readProbes } from '../../coach/probe/probe-results.ts';
import { stepsOfTrial } from '../../coach/whatif/trial-steps.ts';
import type { StoreReader } from '../../store/index.ts';
import { improvementOver } from '../statistics.ts';
import { type ComplexityTools, reportComplexity } from './complexity.ts';
import { listProposals, reportFunnel, reportWishes } from './funnel.ts';
import { reportImpact } from './impact.ts';
import { reportFinal, reportHeldOut, reportThreshold } from './scores.ts';
import { bySeed, type ReportedArm, type ReportedStudy, readReportedStudy } from './study-record.ts';

export type ReportTools = ComplexityTools;

export interface ReportRequest {
  /** At least one. */
  readonly studyIds: readonly string[];
  /** Score whose first evaluation is looked for; null: the final score of each study's first arm. */
  readonly threshold: number | null;
}

/**
 * What changing environments did: for each study its report and, for several, how often arms of one name are better over all
 * of them. A function of the record alone.
 *
 * Throws: store.notFound.
 * Cost: compiles every environment once; reads at most a dozen records per run and restores 256 states of each, one record at a
 * time.
 */
export async function buildReports(
  tools: ReportTools,
  { studyIds, threshold }: ReportRequest,
): Promise<Reports> {
  const studies = [...new Set(studyIds)].map((studyId) => readReportedStudy(tools.store, studyId));
  const reports: ReportView[] = [];
  for (const study of studies) reports.push(await buildReport(tools, study, threshold));
  return {
    reports,
    across: studies.length < 2 ? null : compareAcross(studies),
  };
}

async function buildReport(
  tools: ReportTools,
  reported: ReportedStudy,
  threshold: number | null,
): Promise<ReportView> {
  const { store } = tools;
  const { study, arms } = reported;
  const { studyId, name, experimentPath, state, objective } = study;
  const random = arms.find(({ provider }) => provider === 'random') ?? null;
  const proposals = listProposals(store, reported);
  const [first] = arms.flatMap(({ runs }) => runs);
  return {
    version: 1,
    studyId,
    name,
    experimentPath,
    state,
    objective,
    budget: { steps: first?.totalSteps ?? 0, rounds: first?.numRounds ?? 0 },
    baseline: arms[0]?.name ?? '',
    random: random?.name ?? null,
    arms: arms.map((arm) => describeArm(tools, arm)),
    final: reportFinal(reported, random),
    threshold: reportThreshold(store, reported, threshold),
    heldOut: reportHeldOut(store, reported),
    complexity: await reportComplexity(tools, reported),
    funnel: reportFunnel(store, reported, proposals),
    probes: summarizeProbes(tools.root),
    impact: reportImpact(store, reported, proposals),
    wishes: reportWishes(proposals),
    warnings: warningsOf(reported, random),
  };
}

function summarizeProbes(root: string): ReportView['probes'] {
  const probes = readProbes(root);
  return probes.map((probe) => {
    const { answers: _, ...summary } = besideShuffled(probe, probes);
    return summary;
  });
}

function describeArm(
  { store }: ReportTools,
  { name, provider, model, runs }: ReportedArm,
): ReportView['arms'][0] {
  const finished = runs.filter(({ isFinished }) => isFinished);
  const charged = finished.map(({ chargedSteps }) => chargedSteps);
  const meanOf = (values: readonly number[]): number | null => (values.length === 0 ? null : mean(values));
  return {
    name,
    provider,
    model,
    numRuns: runs.length,
    numFinished: finished.length,
    chargedSteps: charged.length === 0 ? null : { least: Math.min(...charged), most: Math.max(...charged) },
    trialSteps: meanOf(finished.map((run) => run.chargedSteps - run.ownSteps)),
    evaluationSteps: meanOf(finished.map(({ runId }) => evaluationStepsOf(store, runId))),
  };
}

/** Of evaluations on the objective and in held-out environments, and of the scores of trials. */
function evaluationStepsOf(store: StoreReader, runId: string): number {
  const ofRounds = store.rounds.listByRun(runId).map(({ outcome }) => evaluationStepsIn(outcome?.report));
  const ofTrials = store.proposals
    .list({ runId })
    .flatMap(({ proposalId }) => stepsOfTrial(store.trials.find(proposalId)))
    .map(({ evaluationSteps }) => evaluationSteps);
  return [...ofRounds, ...ofTrials].reduce((sum, steps) => sum + steps, 0);
}

/** Trials are none of a round's report. */
function evaluationStepsIn(report: unknown): number {
  const steps = (report as { evaluationSteps?: unknown } | null | undefined)?.evaluationSteps;
  return typeof steps === 'number' ? steps : 0;
}

/** Most by which charged steps of arms may differ, as a share of the budget: an iteration more or less. */
const mostApart = 0.02;

function warningsOf({ arms, study }: ReportedStudy, random: ReportedArm | null): string[] {
  const runs = arms.flatMap((arm) => arm.runs);
  const open = runs.filter(({ isFinished }) => !isFinished).length;
  const charged = runs.filter(({ isFinished }) => isFinished).map(({ chargedSteps }) => chargedSteps);
  const apart = Math.max(...charged) - Math.min(...charged);
  const budget = Math.max(1, ...runs.map(({ totalSteps }) => totalSteps));
  const isCoached = arms.some(({ provider }) => provider !== 'none' && provider !== 'random');
  return [
    ...(open === 0
      ? []
      : [
          `${open} of ${runs.length} runs are not finished (study ${study.state}): they are in no figure of scores.`,
        ]),
    ...(charged.length > 1 && apart > mostApart * budget
      ? [`Finished runs differ by ${apart} charged steps: scores are not of equal effort.`]
      : []),
    ...(isCoached && random === null
      ? ["There is no arm of random valid changes: how much of a gain is the coach's own cannot be said."]
      : []),
  ];
}

/** Arms by name that at least two of the studies have beside a first one; each is paired with that of its own study, whatever its name. */
function compareAcross(studies: readonly ReportedStudy[]): NonNullable<Reports['across']> {
  const names = [...new Set(studies.flatMap(({ arms }) => arms.slice(1).map(({ name }) => name)))];
  return {
    studies: studies.map(({ study }) => study.studyId),
    arms: names.flatMap((arm) => {
      const strata = studies.flatMap((study) => {
        const differences = differencesOf(study, arm);
        return differences.length === 0 ? [] : [differences];
      });
      if (strata.length < 2) return [];
      const { probability, interval, numPairs } = improvementOver(strata, 'higher');
      return [{ arm, numStudies: strata.length, numPairs, probabilityOfImprovement: probability, interval }];
    }),
  };
}

/** By seed, how much better the arm is than the first one: above zero is better whatever the objective. */
function differencesOf({ arms, better }: ReportedStudy, name: string): number[] {
  const [baseline] = arms;
  const arm = arms.find((each) => each.name === name);
  if (baseline === undefined || arm === undefined || arm === baseline) return [];
  const sign = better === 'higher' ? 1 : -1;
  const scores = [arm, baseline].map((each) => bySeed(each, ({ objective }) => objective));
  return pairedDifferences(scores[0] ?? new Map(), scores[1] ?? new Map()).map(
    (difference) => sign * difference,
  );
}
