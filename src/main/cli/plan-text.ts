import type { MeasuredCosts, PlanView } from '../../shared/contract/plan.ts';
import { formatTable } from './text-table.ts';

const count = (value: number) => Math.round(value).toLocaleString('en-US');

/** A plan as a person reads it before starting. */
export function formatPlan(plan: PlanView): string {
  const { name, experimentPath, budget, seeds, arms } = plan;
  const rows = arms.map((arm) => [
    arm.arm,
    coachOf(arm),
    String(arm.numRuns),
    count(arm.chargedSteps),
    arm.mostTrialSteps === 0
      ? '0'
      : `${count(arm.mostTrialSteps)} (${Math.round((100 * arm.mostTrialSteps) / arm.chargedSteps)} %)`,
    count(arm.evaluations),
    count(arm.evaluationEpisodes),
  ]);
  const numRuns = arms.reduce((sum, arm) => sum + arm.numRuns, 0);
  const steps = arms.reduce((sum, arm) => sum + arm.chargedSteps, 0);
  return [
    `${name} (${experimentPath}): ${numRuns} runs of ${count(budget.steps)} charged steps in ${budget.rounds} rounds, seeds ${seeds.join(', ')}`,
    '',
    formatTable(
      [
        'arm',
        'coach',
        'runs',
        'charged steps',
        'of them trials, at most',
        'evaluations',
        'episodes of those, not charged',
      ],
      rows,
    ),
    '',
    `${count(steps)} charged steps in all.`,
    ...arms.flatMap(({ arm, shortage }) =>
      shortage === null ? [] : [`${arm} can try nothing: ${shortage}.`],
    ),
    ...formatCosts(plan),
    'Nothing was started.',
  ].join('\n');
}

/** Who proposes; of one that repeats others, whom. */
function coachOf({ provider, replays }: PlanView['arms'][0]): string {
  if (replays === undefined) return provider;
  return `${provider} of ${replays.study}${replays.arm === null ? '' : ` (arm ${replays.arm})`}`;
}

function formatCosts({ arms, hours, bytes, trainers }: PlanView): string[] {
  if (hours === null || bytes === null) {
    const unknown = arms.filter(({ measured }) => measured === null).map(({ arm }) => arm);
    const what =
      unknown.length === arms.length
        ? 'this scenario and algorithm'
        : `the scenario and algorithm of ${unknown.join(', ')}`;
    return [
      `Time and disk: not known; no run of ${what} has finished in this workspace. The first one tells.`,
    ];
  }
  const bases = arms.flatMap(({ arm, measured }) =>
    measured === null ? [] : [{ arm, basis: basisOf(measured) }],
  );
  const total = `About ${formatHours(hours)} with ${trainers} at a time, and ${formatBytes(bytes)} on disk: medians of`;
  const [first] = bases;
  if (first !== undefined && bases.every(({ basis }) => basis === first.basis))
    return [`${total} ${first.basis}.`];
  return [total, ...bases.map(({ arm, basis }) => `  ${arm}: ${basis}`)];
}

function basisOf({ numRuns, isSameLearner, secondsPerMillionSteps }: MeasuredCosts): string {
  const basis = isSameLearner
    ? 'with these settings of the learner'
    : 'of this algorithm with other settings';
  return `${counted(numRuns, 'finished run')} ${basis} in this workspace (${formatSeconds(secondsPerMillionSteps)} per million charged steps)`;
}

export function formatHours(hours: number): string {
  if (hours >= 1) return `${hours.toFixed(1)} hours`;
  const seconds = Math.max(1, Math.round(hours * 3600));
  return seconds < 60 ? counted(seconds, 'second') : counted(Math.round(seconds / 60), 'minute');
}

const counted = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;

const formatSeconds = (seconds: number) =>
  seconds >= 10 ? `${Math.round(seconds)} s` : `${seconds.toFixed(1)} s`;

function formatBytes(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(0)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} kB`;
}
