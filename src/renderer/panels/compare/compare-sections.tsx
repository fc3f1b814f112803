import type { RunView } from '../../../shared/contract/runs.ts';
import { formatValue } from '../../components/format.ts';
import { runLabels } from '../../state/run-labels.ts';
import type { SummaryTable } from './compare-tables.ts';
import type { Comparison } from './use-compare.ts';

/** Last value of every metric, with the least and the greatest it ever had. */
export function SummarySection({ summary, runs }: { summary: SummaryTable; runs: readonly RunView[] }) {
  const labels = runLabels(runs);
  return (
    <section>
      <h3>Last value (least … greatest)</h3>
      <div className="scroll-x">
        <table className="table">
          <thead>
            <tr>
              <th>Metric</th>
              {runs.map((run) => (
                <th key={run.runId} className="number">
                  {labels.get(run.runId)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {summary.rows.map((row) => (
              <tr key={row.key}>
                <td className="mono">{row.key}</td>
                {row.cells.map((cell, index) => (
                  <td key={summary.runIds[index]} className="number">
                    {formatValue(cell?.last)}{' '}
                    <span className="muted">
                      ({formatValue(cell?.min)} … {formatValue(cell?.max)})
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface ConfigurationProps {
  readonly rows: Comparison['configuration'];
  readonly runs: readonly RunView[];
  readonly isOnlyDifferences: boolean;
  readonly onOnlyDifferences: (isOnly: boolean) => void;
}

/** Configuration of each run, row by row; rows that differ are marked. */
export function ConfigurationSection({
  rows,
  runs,
  isOnlyDifferences,
  onOnlyDifferences,
}: ConfigurationProps) {
  const labels = runLabels(runs);
  const shown = isOnlyDifferences ? rows.filter((row) => row.differs) : rows;
  return (
    <section>
      <div className="section-head">
        <h3>Configuration</h3>
        <label className="check">
          <input
            type="checkbox"
            checked={isOnlyDifferences}
            onChange={(event) => onOnlyDifferences(event.target.checked)}
          />
          only differences ({rows.filter((row) => row.differs).length} of {rows.length})
        </label>
      </div>
      {shown.length === 0 ? <p className="muted">The configurations are the same.</p> : null}
      {shown.length > 0 ? (
        <div className="scroll-x">
          <table className="table">
            <thead>
              <tr>
                <th>Key</th>
                {runs.map((run) => (
                  <th key={run.runId}>{labels.get(run.runId)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.key} data-differs={row.differs}>
                  <td className="mono">{row.key}</td>
                  {row.values.map((value, index) => (
                    <td key={runs[index]?.runId} className="mono">
                      {value ?? '–'}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </section>
  );
}
