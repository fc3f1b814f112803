import type { z } from 'zod';
import type { runs as runsContract } from '../../shared/contract/runs.ts';
import type { StoreReader } from '../store/index.ts';
import { readRunView } from './views.ts';

export type Comparison = z.output<(typeof runsContract)['compare']['result']>;

/** Chosen runs side by side: what differs in configuration and environments, last values and ranges. Throws: store.notFound. */
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
    const values = flattened.map((entries) => entries.get(key) ?? null);
    return { key, values, differs: values.some((value) => value !== values[0]) };
  });
}

function flatten(prefix: string, value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[prefix, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) =>
    flatten(prefix === '' ? key : `${prefix}.${key}`, inner),
  );
}
