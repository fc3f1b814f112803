/** A family of metric keys under one heading of the picker. */
export interface MetricGroup {
  readonly title: string;
  readonly keys: readonly string[];
}

const titles: readonly (readonly [prefix: string, title: string])[] = [
  ['eval', 'Evaluation on the objective'],
  ['charts/component', 'Reward components while training'],
  ['charts/metric', 'Scenario metrics while training'],
  ['charts', 'Training'],
  ['losses', 'Losses'],
];

/** Groups keys for the picker: the yardstick first, then training curves, then losses, then the rest. */
export function groupMetricKeys(keys: readonly string[]): readonly MetricGroup[] {
  const groups = new Map<string, string[]>();
  for (const title of [...titles.map(([, name]) => name), 'Other']) groups.set(title, []);
  for (const key of [...keys].sort()) {
    const title = titles.find(([prefix]) => key === prefix || key.startsWith(`${prefix}/`))?.[1] ?? 'Other';
    groups.get(title)?.push(key);
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
    const index = firstPrefixes.findIndex((prefix) => key.startsWith(prefix));
    return index < 0 ? firstPrefixes.length : index;
  };
  return groupMetricKeys(available)
    .flatMap((group) => group.keys)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, count);
}
