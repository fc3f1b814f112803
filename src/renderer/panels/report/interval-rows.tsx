import { intervalLabel } from '../../../shared/std/statistics.ts';
import { formatDifference, formatValue } from '../../components/format.ts';
import { spanOf, ticksOf } from './interval-axis.ts';

export interface IntervalRow {
  readonly label: string;
  /** 1 to 8, the theme's `--series-n`. */
  readonly color: number;
  /** Null: there is nothing measured. */
  readonly figure: {
    readonly value: number;
    readonly low: number;
    readonly high: number;
    readonly count: number;
  } | null;
  /** Words behind the figure. */
  readonly note?: string;
}

interface Props {
  readonly title: string;
  readonly rows: readonly IntervalRow[];
  /** Differences are drawn around the line of no difference, with their signs. */
  readonly isDifference?: boolean;
  /** How values are written. */
  readonly format?: (value: number) => string;
}

const width = 220;
const height = 22;

/** One bar a row on a common axis, with its figures beside it. */
export function IntervalRows({ title, rows, isDifference = false, format = formatValue }: Props) {
  const values = rows.flatMap(({ figure }) =>
    figure === null ? [] : [figure.value, figure.low, figure.high],
  );
  const span = spanOf(isDifference ? [...values, 0] : values);
  const toX = (value: number) => 6 + ((value - span.low) / (span.high - span.low)) * (width - 12);
  const show = isDifference ? formatDifference : format;
  return (
    <div className="interval-rows">
      <h4>{title}</h4>
      {rows.map((row) => (
        <div className="interval-row" key={row.label}>
          <span className="truncate" title={row.label}>
            {row.label}
          </span>
          <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={describe(row, show)}>
            {isDifference ? (
              <line
                x1={toX(0)}
                x2={toX(0)}
                y1="0"
                y2={height}
                stroke="var(--border-strong)"
                strokeDasharray="3 3"
              />
            ) : null}
            {row.figure === null ? null : <Bar figure={row.figure} toX={toX} color={row.color} />}
          </svg>
          <Figures row={row} show={show} />
        </div>
      ))}
      {values.length === 0 ? null : (
        <div className="interval-row axis">
          <span />
          <svg viewBox={`0 0 ${width} 16`} aria-hidden="true">
            {ticksOf(span).map((tick) => (
              <text key={tick} x={toX(tick)} y="12" textAnchor="middle">
                {show(tick)}
              </text>
            ))}
          </svg>
          <span />
        </div>
      )}
    </div>
  );
}

function Bar({
  figure: { value, low, high, count },
  toX,
  color,
}: {
  figure: NonNullable<IntervalRow['figure']>;
  toX: (value: number) => number;
  color: number;
}) {
  const stroke = `var(--series-${color})`;
  return (
    <>
      {count > 1 ? (
        <line
          x1={toX(low)}
          x2={toX(high)}
          y1={height / 2}
          y2={height / 2}
          stroke={stroke}
          strokeWidth="6"
          strokeLinecap="round"
          opacity="0.4"
        />
      ) : null}
      <circle cx={toX(value)} cy={height / 2} r="4.5" fill={stroke} />
    </>
  );
}

function Figures({ row: { figure, note }, show }: { row: IntervalRow; show: (value: number) => string }) {
  if (figure === null) return <span className="muted">–</span>;
  return (
    <span className="figures">
      <strong>{show(figure.value)}</strong>
      {figure.count > 1 ? (
        <span className="muted">
          {' '}
          [{show(figure.low)}, {show(figure.high)}]
        </span>
      ) : null}
      {note === undefined ? null : <span className="muted note">{note}</span>}
    </span>
  );
}

function describe({ label, figure }: IntervalRow, show: (value: number) => string): string {
  if (figure === null) return `${label}: nothing measured`;
  const { value, low, high, count } = figure;
  if (count < 2) return `${label}: ${show(value)}`;
  return `${label}: ${show(value)}, ${intervalLabel(count) === 'range' ? 'range' : '95 % interval'} ${show(low)} to ${show(high)}`;
}
