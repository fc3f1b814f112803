import type { ProposedChange } from '../../../shared/contract/coach.ts';
import type { ImpactRow } from '../../../shared/contract/report.ts';
import { shareInterval } from '../../../shared/std/statistics.ts';
import type { StoreReader } from '../../store/index.ts';
import { roundStoodAt } from '../standing.ts';
import type { ArmProposal } from './funnel.ts';
import { type ReportedStudy, valueAt } from './study-record.ts';

type Expected = ProposedChange['expected_impact'];

/** Least effect of a size, as a share of the range that the metric had in all evaluations of the study. */
const leastShare = { medium: 0.05, large: 0.2 } as const;

interface Judged {
  readonly basis: ImpactRow['basis'];
  readonly isRight: boolean;
  readonly isSized: boolean;
}

/**
 * What changes were expected to do, against what was measured: on the objective, candidate against control of the trial; on
 * another metric, its evaluations at the ends of the rounds before and after the change (which training moves, too).
 * Where nothing was measured nothing is judged.
 */
export function reportImpact(
  store: StoreReader,
  study: ReportedStudy,
  proposals: readonly ArmProposal[],
): ImpactRow[] {
  const rangeOf = rangesOf(store, study);
  const groups = new Map<
    string,
    { row: Pick<ImpactRow, 'arm' | 'provider' | 'model' | 'basis'>; judged: Judged[] }
  >();
  for (const each of proposals) {
    const { provider, model } = each.proposal;
    for (const { expected_impact: expected } of each.proposal.body?.changes ?? []) {
      const judged = judge(store, study, each, expected, rangeOf);
      if (judged === null) continue;
      const row = { arm: each.arm.name, provider, model, basis: judged.basis };
      const key = JSON.stringify(row);
      const group = groups.get(key) ?? { row, judged: [] };
      group.judged.push(judged);
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ row, judged }) => {
    const right = judged.filter(({ isRight }) => isRight);
    return {
      ...row,
      direction: share(right.length, judged.length),
      size: share(right.filter(({ isSized }) => isSized).length, right.length),
    };
  });
}

function share(hits: number, of: number): ImpactRow['direction'] {
  return { hits, of, ...(of === 0 ? { low: 0, high: 1 } : shareInterval(hits, of)) };
}

function judge(
  store: StoreReader,
  { study }: ReportedStudy,
  { proposal, decision }: ArmProposal,
  expected: Expected,
  rangeOf: (keys: readonly string[]) => number,
): Judged | null {
  const { metric, group } = study.objective;
  if (expected.metric === metric) {
    const summary = store.trials.find(proposal.proposalId)?.summary ?? null;
    return summary === null
      ? null
      : compare('trial', summary.meanDifference, expected, rangeOf(['eval/objective']));
  }
  const applied = decision?.appliedRound ?? null;
  if (applied === null) return null;
  const keys = keysOf(expected.metric, group);
  const wentOnFrom = roundStoodAt(store, proposal.runId, applied);
  const [before, after] = [wentOnFrom, applied + 1].map((round) => {
    const step = store.rounds.find(proposal.runId, round)?.outcome?.chargedSteps;
    if (step === undefined) return null;
    return (
      keys.map((key) => valueAt(store, proposal.runId, key, step)).find((value) => value !== null) ?? null
    );
  });
  if (before === null || after === null || before === undefined || after === undefined) return null;
  return compare('rounds', after - before, expected, rangeOf(keys));
}

/** Series that a metric's name may be kept under. */
function keysOf(metric: string, group: string): string[] {
  if (metric === 'episode_return') return [`eval/episodic_return/${group}`];
  return [`eval/metric/${metric}`, `eval/component/${metric}`];
}

function compare(basis: Judged['basis'], effect: number, expected: Expected, range: number): Judged {
  const isRight = expected.direction === 'up' ? effect > 0 : effect < 0;
  return { basis, isRight, isSized: sizeOf(Math.abs(effect), range) === expected.size };
}

function sizeOf(effect: number, range: number): Expected['size'] {
  if (effect >= leastShare.large * range) return 'large';
  return effect >= leastShare.medium * range ? 'medium' : 'small';
}

/** Greatest minus least value of a metric over all runs of the study. */
function rangesOf(store: StoreReader, { arms }: ReportedStudy): (keys: readonly string[]) => number {
  const summaries = arms.flatMap(({ runs }) => runs.flatMap(({ runId }) => store.series.summaries(runId)));
  return (keys) => {
    const own = summaries.filter(({ key }) => keys.includes(key));
    const least = Math.min(...own.flatMap(({ min }) => min ?? []));
    const most = Math.max(...own.flatMap(({ max }) => max ?? []));
    return most > least ? most - least : 0;
  };
}
