import type { Client } from '../../shared/contract/index.ts';
import type { RunView } from '../../shared/contract/runs.ts';
import { AppError } from '../../shared/std/app-error.ts';

export interface ExportedSeries {
  readonly run: RunView;
  readonly key: string;
  /** Points stored; more than `steps` holds when the series was too long to be given whole. */
  readonly numPoints: number;
  readonly steps: number[];
  readonly values: number[];
}

const maxPoints = 100_000;

/** The asked metric series of the runs; all of them where none is named. Throws input.invalid for unknown keys. */
export async function readSeries(
  client: Client,
  runs: readonly RunView[],
  keys: readonly string[],
): Promise<ExportedSeries[]> {
  const series: ExportedSeries[] = [];
  const known = await client.runs.keys({ runIds: runs.map(({ runId }) => runId) });
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw new AppError(
      'input.invalid',
      `these runs have no metric "${unknown}"; they have ${known.join(', ')}`,
    );
  }
  for (const run of runs) {
    const own = await client.runs.keys({ runIds: [run.runId] });
    for (const key of own.filter((each) => keys.length === 0 || keys.includes(each))) {
      const view = await client.runs.series({ runId: run.runId, key, maxPoints });
      series.push({
        run,
        key,
        numPoints: view.numPoints,
        steps: Array.from(view.steps),
        values: Array.from(view.values),
      });
    }
  }
  return series;
}

const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** One row a point (RFC 4180); numbers are written so that they read back the same. */
export function formatCsv(series: readonly ExportedSeries[]): string {
  const lines = ['study,run,arm,seed,key,step,value'];
  for (const { run, key, steps, values } of series) {
    const prefix = [run.studyId, run.runId, run.arm, String(run.seed), key].map(quote).join(',');
    steps.forEach((step, index) => {
      lines.push(`${prefix},${step},${values[index]}`);
    });
  }
  return `${lines.join('\n')}\n`;
}
