import type { Client } from '../../shared/contract/index.ts';

/** Families of keys whose last part is a name of the language, the most telling first. */
const prefixes = ['eval/metric/', 'charts/metric/', 'charts/component/'];

/** The last value of every metric and reward component of a run, by its name in the language. */
export async function readRunValues(client: Client, runId: string): Promise<Record<string, number>> {
  const { summaries } = await client.runs.compare({ runIds: [runId] });
  const values: Record<string, number> = {};
  for (const prefix of prefixes) {
    for (const { key, last } of summaries) {
      const name = key.startsWith(prefix) ? key.slice(prefix.length) : null;
      if (name !== null && last !== null && !(name in values)) values[name] = last;
    }
  }
  return values;
}
