/** A family of metric keys under one heading of the picker. */
export interface MetricGroup {
  readonly title: string;
  readonly keys: readonly string[];
}

const titles: readonly (readonly [prefix: string, title: string])[] = [
  ['eval', 'Evaluation on the objective'],
  ['eval/held_out', 'Evaluation in held-out environments'],
  ['charts/component', 'Reward components while training'],
  ['charts/metric', 'Metrics while training'],
  ['charts/regime', 'Share of steps in each regime'],
  ['charts', 'Training'],
  ['losses', 'Losses'],
];

const agentTitles = {
  eval: 'Single agents on the objective',
  charts: 'Single agents while training',
} as const;

/** eval/metric/kills/red_0: there are many of these, and they are looked for by name. */
const agentPattern = /^(eval|charts)\/metric\/[^/]+\/[^/]+$/;

function titleOf(key: string): string {
  const prefix = agentPattern.exec(key)?.[1];
  if (prefix === 'eval' || prefix === 'charts') return agentTitles[prefix];
  const fitting = titles.filter(([each]) => key === each || key.startsWith(`${each}/`));
  return fitting.toSorted(([a], [b]) => b.length - a.length)[0]?.[1] ?? 'Other';
}

/** Groups keys for the picker: the yardstick first, then training curves, then losses, single agents, the rest. */
export function groupMetricKeys(keys: readonly string[]): readonly MetricGroup[] {
  const groups = new Map<string, string[]>();
  for (const title of [...titles.map(([, name]) => name), ...Object.values(agentTitles), 'Other']) {
    groups.set(title, []);
  }
  for (const key of [...keys].sort()) {
    groups.get(titleOf(key))?.push(key);
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([title, members]) => ({ title, keys: members }));
}

/** Whether the metric is scored by evaluation, not a training curve: said beside every chart. */
export function isEvaluationKey(key: string): boolean {
  return key.startsWith('eval/');
}

/** Worth seeing first: the yardstick, what is trained on, what the scenario measures. */
const firstPrefixes = ['eval/objective', 'charts/episodic_return', 'eval/metric/', 'eval/'];

/** Keys to show: those the person chose and the runs have; before any choice up to `count` worth seeing first. */
export function preferredKeys(
  available: readonly string[],
  wanted: readonly string[] | null,
  count: number,
): readonly string[] {
  if (wanted !== null) return wanted.filter((key) => available.includes(key));
  const rank = (key: string): number => {
    if (agentPattern.test(key)) return firstPrefixes.length + 1;
    const index = firstPrefixes.findIndex((prefix) => key.startsWith(prefix));
    return index < 0 ? firstPrefixes.length : index;
  };
  return groupMetricKeys(available)
    .flatMap((group) => group.keys)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, count);
}
