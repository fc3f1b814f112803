import type { ConcludedTrial, ProposalView, TrialView } from '../../../shared/contract/coach.ts';
import { intervalLabel } from '../../../shared/std/statistics.ts';
import { Badge } from '../../components/feedback.tsx';
import { formatCount, formatDifference, formatQuantity, formatValue } from '../../components/format.ts';
import { intervalScale } from './interval-scale.ts';

/** The what-if: candidate against control with the same seeds, scored on the objective's own environment. */
export function TrialSection({
  proposal: { trial, untried, state },
}: {
  proposal: Pick<ProposalView, 'trial' | 'untried' | 'state'>;
}) {
  return (
    <section>
      <h3>What-if trial</h3>
      {trial?.state === 'concluded' ? (
        <ConcludedFigures trial={trial} />
      ) : (
        <p className={trial?.state === 'brokeDown' ? undefined : 'muted'}>
          {unconcludedWords(trial, state === 'trying', untried)}
        </p>
      )}
      {trial === null || trial.pairs.length === 0 ? null : <PairTable pairs={trial.pairs} />}
    </section>
  );
}

type UnconcludedTrial = Exclude<TrialView, ConcludedTrial>;

function unconcludedWords(trial: UnconcludedTrial | null, isTrying: boolean, untried?: string): string {
  if (untried !== undefined) return `Not tried out: ${untried}.`;
  if (trial === null) return isTrying ? 'Being tried out.' : 'Not tried out.';
  const { pairs, chargedSteps } = trial;
  const cost = `${formatQuantity(pairs.length, 'paired seed')} scored; ${formatCount(chargedSteps)} steps charged.`;
  if (trial.state === 'brokeDown') return `Broke down: ${trial.failure}; ${cost}`;
  return isTrying ? `Being tried out: ${cost}` : `Not tried out to the end: ${cost}`;
}

function ConcludedFigures({ trial }: { trial: ConcludedTrial }) {
  return (
    <>
      <p>
        <Badge tone={trial.verdict === 'better' ? 'good' : 'neutral'}>
          {trial.verdict === 'better' ? 'better than the control' : 'not better than the control'}
        </Badge>{' '}
        <strong>{formatDifference(trial.meanDifference)}</strong> on the objective,{' '}
        {intervalLabel(trial.numPairs) === 'range' ? 'range' : '95 % interval'} of{' '}
        {trial.wasDecided
          ? formatQuantity(trial.numPairs, 'deciding pair')
          : `${formatQuantity(trial.numPairs, 'pair')} that screened it out`}{' '}
        {formatDifference(trial.low)} to {formatDifference(trial.high)}
        {trial.leastGain !== undefined &&
          ` (up to ±${formatValue(trial.leastGain)} may be the episodes it was scored on)`}
        ; probability of improvement {formatValue(trial.probabilityOfImprovement)};{' '}
        {formatQuantity(trial.pairs.length, 'paired seed')}; {formatCount(trial.chargedSteps)} steps charged.
      </p>
      <IntervalPlot trial={trial} />
    </>
  );
}

function PairTable({ pairs }: Pick<TrialView, 'pairs'>) {
  return (
    <table className="table" style={{ maxWidth: 560 }}>
      <thead>
        <tr>
          <th>Seed</th>
          <th className="number">Candidate</th>
          <th className="number">Control</th>
          <th className="number">Difference</th>
        </tr>
      </thead>
      <tbody>
        {pairs.map((pair) => (
          <tr key={pair.seed}>
            <td className="mono">{pair.seed}</td>
            <td className="number">{formatValue(pair.candidate)}</td>
            <td className="number">{formatValue(pair.control)}</td>
            <td className="number">{formatDifference(pair.candidate - pair.control)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const width = 560;
const baseline = 34;

/** Each pair's difference as a dot, their mean and interval as a bar, zero as the line to beat. */
function IntervalPlot({ trial }: { trial: ConcludedTrial }) {
  const differences = trial.pairs.map((pair) => pair.candidate - pair.control);
  const toX = intervalScale([...differences, trial.low, trial.high], width);
  return (
    <svg
      className="interval"
      viewBox={`0 0 ${width} 78`}
      role="img"
      aria-label={`Mean difference ${trial.meanDifference}, interval ${trial.low} to ${trial.high}`}
    >
      <line x1={toX(0)} x2={toX(0)} y1="6" y2="58" stroke="var(--border-strong)" strokeDasharray="3 3" />
      <text x={toX(0)} y="72" textAnchor="middle">
        no difference
      </text>
      <line
        x1={toX(trial.low)}
        x2={toX(trial.high)}
        y1={baseline}
        y2={baseline}
        stroke="var(--accent)"
        strokeWidth="6"
        strokeLinecap="round"
        opacity="0.35"
      />
      {differences.map((difference, index) => (
        <circle
          key={trial.pairs[index]?.seed}
          cx={toX(difference)}
          cy={baseline}
          r="3.5"
          fill="none"
          stroke="var(--text)"
        />
      ))}
      <circle cx={toX(trial.meanDifference)} cy={baseline} r="5" fill="var(--accent)" />
      <text x={toX(trial.meanDifference)} y="20" textAnchor="middle">
        {formatDifference(trial.meanDifference)}
      </text>
    </svg>
  );
}
