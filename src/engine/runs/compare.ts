import type { z } from 'zod';
import type { runs as runsContract } from '../../shared/contract/runs.ts';
import type { StoreReader } from '../store/index.ts';
import { readRunView } from './views.ts';

const providerKey = 'coach.provider';

export type Comparison = z.output<(typeof runsContract)['compare']['result']>;

/** Chosen runs side by side: what differs in environments and in what of the configurations is in effect, last values and ranges. Throws: store.notFound. */
export function compareRuns(store: StoreReader, runIds: readonly string[]): Comparison {
  return {
    runs: runIds.map((runId) => readRunView(store, runId)),
    configuration: compareConfigurations(store, runIds),
    environments: runIds.flatMap((runId) =>
      store.rounds.listByRun(runId).map(({ round, environmentHash, environmentIdentity }) => ({
        runId,
        round,
        text: store.texts.get(environmentHash),
        identity: environmentIdentity,
      })),
    ),
    summaries: runIds.flatMap((runId) =>
      store.series.summaries(runId).map(({ key, last, min, max }) => ({
        runId,
        key,
        last: Number.isFinite(last) ? last : null,
        min,
        max,
      })),
    ),
  };
}

function compareConfigurations(store: StoreReader, runIds: readonly string[]): Comparison['configuration'] {
  const flattened = runIds.map((runId) => new Map(flatten('', store.runs.get(runId).configuration)));
  const keys = [...new Set(flattened.flatMap((entries) => [...entries.keys()]))].sort();
  return keys.map((key) => {
    const inEffect = flattened.filter((entries) => isInEffect(entries, key));
    const values = flattened.map((entries) =>
      inEffect.includes(entries) ? (entries.get(key) ?? null) : null,
    );
    const compared = inEffect.map((entries) => entries.get(key) ?? null);
    return { key, values, differs: compared.some((value) => value !== compared[0]) };
  });
}

/** Whose arm has no coach has the settings of one on record all the same: that it has none is all that counts. */
function isInEffect(entries: ReadonlyMap<string, string>, key: string): boolean {
  return !key.startsWith('coach.') || key === providerKey || entries.get(providerKey) !== 'none';
}

function flatten(prefix: string, value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[prefix, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) =>
    flatten(prefix === '' ? key : `${prefix}.${key}`, inner),
  );
}
