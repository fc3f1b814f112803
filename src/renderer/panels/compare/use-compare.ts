import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Client } from '../../../shared/contract/index.ts';
import type { StudyView } from '../../../shared/contract/runs.ts';
import { useWorkbench } from '../../app/workbench-context.tsx';
import { preferredKeys } from '../../charts/metric-keys.ts';
import type { RunStyle } from '../../charts/run-style.ts';
import { failed, type Loadable, pending, ready, valueOr } from '../../state/loadable.ts';
import { useMetricKeys, useRunStyles } from '../charts/use-charts.ts';
import {
  type EnvironmentChoice,
  environmentChoices,
  type SummaryTable,
  summaryTable,
} from './compare-tables.ts';

export type Comparison = Awaited<ReturnType<Client['runs']['compare']>>;

export interface ReadyComparison {
  readonly comparison: Comparison;
  readonly summary: SummaryTable;
  readonly environments: readonly EnvironmentChoice[];
}

export interface CompareView {
  /** Studies the chosen runs belong to. */
  readonly studies: readonly StudyView[];
  readonly styles: readonly RunStyle[];
  readonly result: Loadable<ReadyComparison>;
  readonly metricKey: string | null;
  readonly availableKeys: readonly string[];
  readonly isOnlyDifferences: boolean;
  setMetricKey(key: string): void;
  setOnlyDifferences(isOnly: boolean): void;
  refresh(): void;
}

/** Compares the runs chosen in the Runs panel. */
export function useCompare(): CompareView {
  const { client, studies, settings } = useWorkbench();
  const runIds = useStore(studies.store, (state) => state.chosenRunIds);
  const all = useStore(studies.store, (state) => state.studies);
  const { chartKeys } = useStore(settings.store);
  const styles = useRunStyles(runIds);
  const availableKeys = useMetricKeys(runIds);
  const [metricKey, setMetricKey] = useState<string | null>(null);
  const [isOnlyDifferences, setOnlyDifferences] = useState(true);
  const [comparison, setComparison] = useState<Loadable<Comparison>>(pending);
  const [tries, setTries] = useState(0);

  // Dependencies: tries asks again
  useEffect(() => {
    if (runIds.length === 0) return;
    let isCurrent = true;
    client.runs.compare({ runIds: [...runIds] }).then(
      (value) => isCurrent && setComparison(ready(value)),
      (error: unknown) => isCurrent && setComparison(failed(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, runIds, tries]);

  const result = useMemo((): Loadable<ReadyComparison> => {
    if (comparison.status !== 'ready') return comparison;
    const { value } = comparison;
    return ready({
      comparison: value,
      summary: summaryTable(value),
      environments: environmentChoices(value),
    });
  }, [comparison]);

  const isChosenKnown = metricKey !== null && availableKeys.includes(metricKey);
  return {
    studies: valueOr(all, []).filter((study) => study.runs.some((run) => runIds.includes(run.runId))),
    styles,
    result,
    metricKey: isChosenKnown ? metricKey : (preferredKeys(availableKeys, chartKeys, 1)[0] ?? null),
    availableKeys,
    isOnlyDifferences,
    setMetricKey,
    setOnlyDifferences,
    refresh: () => setTries(tries + 1),
  };
}
