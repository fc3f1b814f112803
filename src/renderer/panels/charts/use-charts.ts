import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useWorkbench } from '../../app/workbench-context.tsx';
import { preferredKeys } from '../../charts/metric-keys.ts';
import { type RunStyle, styleRuns } from '../../charts/run-style.ts';
import { valueOr } from '../../state/loadable.ts';
import { runsById } from '../../state/studies-model.ts';

export interface ChartsView {
  readonly styles: readonly RunStyle[];
  readonly keys: readonly string[];
  readonly availableKeys: readonly string[];
  readonly isLogScale: boolean;
  toggleKey(key: string): void;
  setLogScale(isLogScale: boolean): void;
}

const numDefaultCharts = 4;

export function useCharts(): ChartsView {
  const { studies, settings } = useWorkbench();
  const chosenRunIds = useStore(studies.store, (state) => state.chosenRunIds);
  const { chartKeys, isLogScale } = useStore(settings.store);
  const styles = useRunStyles(chosenRunIds);
  const availableKeys = useMetricKeys(chosenRunIds);
  const keys = preferredKeys(availableKeys, chartKeys, numDefaultCharts);
  return {
    styles,
    keys,
    availableKeys,
    isLogScale,
    toggleKey(key) {
      settings.set({
        chartKeys: keys.includes(key) ? keys.filter((other) => other !== key) : [...keys, key],
      });
    },
    setLogScale: (next) => settings.set({ isLogScale: next }),
  };
}

/** Styles of runs, stable while only their figures change: a new array would rebuild every chart. */
export function useRunStyles(runIds: readonly string[]): readonly RunStyle[] {
  const { studies } = useWorkbench();
  const all = useStore(studies.store, (state) => state.studies);
  const byId = useMemo(() => runsById(valueOr(all, [])), [all]);
  const styles = styleRuns(runIds.map((runId) => byId.get(runId)).filter((run) => run !== undefined));
  const identity = JSON.stringify(styles);
  // Dependencies: identity stands for the contents of styles
  return useMemo(() => styles, [identity]);
}

/** Keys the runs have; asked again when points of a key not seen before arrive. */
export function useMetricKeys(runIds: readonly string[]): readonly string[] {
  const { client } = useWorkbench();
  const [keys, setKeys] = useState<readonly string[]>([]);
  useEffect(() => {
    if (runIds.length === 0) return setKeys([]);
    let isCurrent = true;
    client.runs.keys({ runIds: [...runIds] }).then(
      (found) => isCurrent && setKeys(found),
      () => isCurrent && setKeys([]),
    );
    const unsubscribe = client.on('metrics.appended', ({ runId, points }) => {
      if (!runIds.includes(runId)) return;
      setKeys((known) => {
        const fresh = points.map((point) => point.key).filter((key) => !known.includes(key));
        return fresh.length === 0 ? known : [...new Set([...known, ...fresh])];
      });
    });
    return () => {
      isCurrent = false;
      unsubscribe();
    };
  }, [client, runIds]);
  return keys;
}
