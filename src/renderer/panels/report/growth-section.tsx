import type { ComplexityPoint, ReportView } from '../../../shared/contract/report.ts';
import { formatValue } from '../../components/format.ts';
import { colorOf } from './arm-colors.ts';
import { spanOf, ticksOf } from './interval-axis.ts';

type Props = { readonly report: ReportView };

const measures: readonly {
  readonly title: string;
  readonly of: (point: ComplexityPoint) => number | null;
}[] = [
  { title: 'Declarations', of: ({ total }) => total },
  { title: 'NPC behaviours', of: ({ behaviours }) => behaviours },
  { title: 'State entropy (bits, of 4)', of: ({ stateEntropy }) => stateEntropy },
];

/** How environments and what agents see of them grew, round by round. */
export function GrowthSection({ report }: Props) {
  const shown = measures.filter(({ of }) =>
    report.complexity.some(({ rounds }) => rounds.some((point) => (of(point) ?? 0) !== 0)),
  );
  if (shown.length === 0) return null;
  return (
    <section>
      <h3>Growth of the environments</h3>
      <p className="muted">
        Means over runs, by round. State entropy: how widely recorded states lie, features taken one by one.
      </p>
      <div className="report-plots">
        {shown.map((measure) => (
          <Curves key={measure.title} report={report} {...measure} />
        ))}
      </div>
      <KindTable report={report} />
    </section>
  );
}

const width = 300;
const height = 120;
const left = 38;
const bottom = 18;

function Curves({ report, title, of }: Props & (typeof measures)[number]) {
  const lines = report.complexity.map(({ arm, rounds }) => ({
    arm,
    points: rounds.flatMap((point) => {
      const value = of(point);
      return value === null ? [] : [{ round: point.round, value }];
    }),
  }));
  const all = lines.flatMap(({ points }) => points);
  const span = spanOf(all.map(({ value }) => value));
  const lastRound = Math.max(1, ...all.map(({ round }) => round));
  const toX = (round: number) => left + (round / lastRound) * (width - left - 8);
  const toY = (value: number) =>
    height - bottom - ((value - span.low) / (span.high - span.low)) * (height - bottom - 8);
  return (
    <div className="interval-rows">
      <h4>{title}</h4>
      <svg className="growth" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title} by round`}>
        {ticksOf(span).map((tick) => (
          <g key={tick}>
            <line x1={left} x2={width} y1={toY(tick)} y2={toY(tick)} stroke="var(--border)" />
            <text x={left - 5} y={toY(tick) + 4} textAnchor="end">
              {formatValue(tick)}
            </text>
          </g>
        ))}
        {Array.from({ length: lastRound + 1 }, (_, round) => round)
          .filter((round) => lastRound < 10 || round % Math.ceil(lastRound / 8) === 0)
          .map((round) => (
            <text key={round} x={toX(round)} y={height - 4} textAnchor="middle">
              {round + 1}
            </text>
          ))}
        {lines.map(({ arm, points }) => (
          <g key={arm} stroke={`var(--series-${colorOf(report, arm)})`} fill="none">
            <polyline
              strokeWidth="1.8"
              points={points.map(({ round, value }) => `${toX(round)},${toY(value)}`).join(' ')}
            />
            {points.map(({ round, value }) => (
              <circle key={round} cx={toX(round)} cy={toY(value)} r="2.6" fill="var(--surface)">
                <title>{`${arm}, round ${round + 1}: ${formatValue(value)}`}</title>
              </circle>
            ))}
          </g>
        ))}
      </svg>
      <Legend report={report} />
    </div>
  );
}

function Legend({ report }: Props) {
  return (
    <div className="report-legend">
      {report.complexity.map(({ arm }) => (
        <span key={arm}>
          <svg viewBox="0 0 14 8" aria-hidden="true">
            <line
              x1="0"
              x2="14"
              y1="4"
              y2="4"
              strokeWidth="2.4"
              stroke={`var(--series-${colorOf(report, arm)})`}
            />
          </svg>
          {arm}
        </span>
      ))}
    </div>
  );
}

/** Declarations by kind at the beginning and at the end. */
function KindTable({ report: { complexity } }: Props) {
  const kinds = [
    ...new Set(
      complexity.flatMap(({ rounds }) => rounds.flatMap((point) => Object.keys(point.declarations))),
    ),
  ];
  return (
    <div className="scroll-x">
      <table className="table">
        <thead>
          <tr>
            <th>First → last round</th>
            {kinds.map((kind) => (
              <th key={kind} className="number">
                {kind}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {complexity.map(({ arm, rounds }) => (
            <tr key={arm}>
              <td>{arm}</td>
              {kinds.map((kind) => {
                const [first = 0, last = 0] = [rounds[0], rounds.at(-1)].map(
                  (point) => point?.declarations[kind] ?? 0,
                );
                return (
                  <td key={kind} className="number">
                    {first === last ? (
                      <span className="muted">{formatValue(first)}</span>
                    ) : (
                      `${formatValue(first)} → ${formatValue(last)}`
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
