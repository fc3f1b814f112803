import type { ProposalView } from '../../shared/contract/coach.ts';
import type { ArmSummary, StudyView } from '../../shared/contract/runs.ts';
import { describeUnusable, findUnusable } from '../../shared/contract/unusable-answers.ts';
import { describeTrap } from '../../shared/rl/describe-trap.ts';
import { intervalLabel, rangeCoverage } from '../../shared/std/statistics.ts';
import { formatFigure, formatInterval, formatTable } from './text-table.ts';

const isAccepted = ({ state }: ProposalView) => state === 'accepted' || state === 'edited';

/** asked / valid / tried / accepted of one arm; a dash where no coach was asked. */
function formatFunnel(proposals: readonly ProposalView[]): string {
  if (proposals.length === 0) return '–';
  const valid = proposals.filter(({ validation }) => validation?.isValid === true).length;
  const tried = proposals.filter(({ trial }) => trial !== null).length;
  return [proposals.length, valid, tried, proposals.filter(isAccepted).length].join(' / ');
}

const providerNames: Readonly<Record<string, string>> = {
  rules: 'the rule coach (hand-written rules, not a language model)',
  random: 'the random coach (valid changes drawn at random, a control)',
  replay: 'a replayed history',
};

/** Who coaches an arm, by name. */
function nameCoach({ provider, model }: NonNullable<ArmSummary['coach']>): string {
  return providerNames[provider] ?? `${provider} (${model ?? 'model not recorded'})`;
}

type Verdict = 'better' | 'worse' | 'undecided';

/** Fewest paired seeds that a sentence about an arm rests on: one or two say nothing that chance would not. */
const fewestForVerdict = 3;

function judge(arm: ArmSummary, better: 'higher' | 'lower'): Verdict {
  if (arm.vsBaseline === null) return 'undecided';
  const { low, high, numPairs } = arm.vsBaseline;
  if (numPairs < fewestForVerdict) return 'undecided';
  if (low <= 0 && high >= 0) return 'undecided';
  return low > 0 === (better === 'higher') ? 'better' : 'worse';
}

const listNames = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** One plain sentence: which arms beat the first one, which lost to it, or that nothing can be told apart. */
export function describeOutcome(study: StudyView): string {
  const [baseline, ...others] = study.arms;
  const compared = others.filter(({ vsBaseline }) => vsBaseline !== null);
  if (baseline === undefined || compared.length === 0)
    return 'There is nothing to compare: no second arm has a result paired with the first.';
  const numPairs = compared.map(({ vsBaseline }) => vsBaseline?.numPairs ?? 0);
  if (Math.max(...numPairs) < fewestForVerdict)
    return `Undecided: ${countPairs(Math.max(...numPairs))} cannot tell arms apart; ${fewestForVerdict} are the least, six give an interval at 95 %.`;
  const named = (verdict: Verdict) =>
    compared.filter((arm) => judge(arm, study.objective.better) === verdict).map(({ name }) => name);
  const [won, lost] = [named('better'), named('worse')];
  const parts = [
    ...(won.length > 0 ? [`${listNames(won)} did better than ${baseline.name}`] : []),
    ...(lost.length > 0 ? [`${listNames(lost)} did worse than ${baseline.name}`] : []),
  ];
  const label = labelOf(numPairs);
  const detail = `by the ${label === 'range' ? 'range' : 'interval'} of the paired differences`;
  if (won.length > 0) return `${parts.join('; ')} (${detail}).`;
  const rest = parts.length > 0 ? `${parts.join('; ')}; ` : '';
  return `Nothing won: ${rest}no arm is better than ${baseline.name} ${detail}.`;
}

/** How many seeds of an arm have a result, of how many. */
function countSeeds({ runs }: StudyView, { name, seeds }: ArmSummary): string {
  const finished = runs.filter(({ arm, state }) => arm === name && state === 'finished').length;
  return finished === seeds.length ? String(finished) : `${finished} of ${seeds.length}`;
}

/** What brackets over so many values each hold, for a heading. */
function labelOf(counts: readonly number[]): string {
  const labels = new Set(counts.map(intervalLabel));
  return labels.size > 1 ? '95 %, range below 6' : ([...labels][0] ?? intervalLabel(0));
}

const counted = (counts: readonly (number | undefined)[]) => counts.filter((count) => count !== undefined);

const countPairs = (count: number) => `${count} paired seed${count === 1 ? '' : 's'}`;

function warnOfFewSeeds({ arms }: StudyView): string[] {
  const counts = arms.flatMap(({ vsBaseline }) => (vsBaseline === null ? [] : [vsBaseline.numPairs]));
  const fewest = Math.min(...counts);
  if (counts.length === 0 || fewest < fewestForVerdict || intervalLabel(fewest) !== 'range') return [];
  const covered = formatFigure(100 * rangeCoverage(fewest), 1);
  return [
    `With ${countPairs(fewest)} the brackets hold the range of the values, which covers the median in ${covered} % of cases: six seeds give 95 %.`,
  ];
}

/** Runs whose episodes were cut short, and where it began: their figures are of other episodes than they seem. */
function warnOfTraps({ runs }: StudyView): string[] {
  return runs.flatMap(({ arm, seed, traps }) =>
    traps === null
      ? []
      : [
          `Warning: traps cut ${traps.count} training episodes of ${arm} seed ${seed} short, first in round ${traps.first.round + 1}: ${describeTrap(traps.first)}.`,
        ],
  );
}

/** Arms whose coach never gave an answer that could be tried: they trained as if they had none. What memory answered is not its. */
function warnOfUnusable({ arms }: StudyView, proposals: readonly ProposalView[]): string[] {
  return arms.flatMap(({ name }) => {
    const asked = proposals.filter(({ arm, provider }) => arm === name && provider !== 'memory');
    const found = findUnusable(asked);
    return found === null ? [] : [describeUnusable(`${name}'s coach`, found)];
  });
}

/** The closing table of a study, who coached, and what came of it. */
export function formatStudy(study: StudyView, proposals: readonly ProposalView[]): string {
  const baseline = study.arms[0]?.name ?? 'the first arm';
  const ofArm = (name: string) => proposals.filter(({ arm }) => arm === name);
  // One arm has nothing to be compared with, and without a coach nothing was proposed.
  const isCompared = study.arms.length > 1;
  const isCoached = isCompared || proposals.length > 0;
  const rows = study.arms.map((arm) => {
    const { objective, vsBaseline } = arm;
    return [
      arm.name,
      countSeeds(study, arm),
      objective === null ? '–' : formatInterval(objective.iqm, objective.low, objective.high),
      ...(isCompared
        ? [
            vsBaseline === null
              ? '–'
              : formatInterval(vsBaseline.difference, vsBaseline.low, vsBaseline.high, { signed: true }),
            formatFigure(vsBaseline?.probabilityOfImprovement, 2),
          ]
        : []),
      ...(isCoached ? [formatFunnel(ofArm(arm.name))] : []),
    ];
  });
  const headings = [
    'arm',
    'seeds',
    `objective IQM [${labelOf(counted(study.arms.map(({ objective }) => objective?.numSeeds)))}]`,
    ...(isCompared
      ? [
          `mean paired difference to ${baseline} [${labelOf(counted(study.arms.map(({ vsBaseline }) => vsBaseline?.numPairs)))}]`,
          'P(improve)',
        ]
      : []),
    ...(isCoached ? ['proposals asked / valid / tried / accepted'] : []),
  ];
  const { metric, group, better } = study.objective;
  const coaches = study.arms.flatMap(({ name, coach }) =>
    coach === null ? [] : [`  ${name}: ${nameCoach(coach)}`],
  );
  const outcome = isCompared ? [describeOutcome(study)] : [];
  const warnings = [...warnOfTraps(study), ...warnOfUnusable(study, proposals)];
  const closing = [...outcome, ...warnOfFewSeeds(study), ...warnings];
  return [
    `${study.name} (study ${study.studyId}): ${metric} of ${group}, ${better} is better, scored on the objective environment`,
    '',
    formatTable(headings, rows),
    ...(coaches.length > 0 ? ['', 'Coaches', ...coaches] : []),
    ...(closing.length > 0 ? ['', ...closing] : []),
  ].join('\n');
}
