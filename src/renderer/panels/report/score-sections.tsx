import type { ReportFigure, ReportPaired, ReportView } from '../../../shared/contract/report.ts';
import { formatCount, formatQuantity, formatValue } from '../../components/format.ts';
import { colorOf } from './arm-colors.ts';
import { type IntervalRow, IntervalRows } from './interval-rows.tsx';

type Props = { readonly report: ReportView };

const scoreOf = (figure: ReportFigure | null): IntervalRow['figure'] =>
  figure === null ? null : { value: figure.iqm, low: figure.low, high: figure.high, count: figure.numSeeds };

const differenceOf = (paired: ReportPaired | null): IntervalRow['figure'] =>
  paired === null
    ? null
    : { value: paired.difference, low: paired.low, high: paired.high, count: paired.numPairs };

const chanceOf = (paired: ReportPaired | null): { note?: string } =>
  paired === null
    ? {}
    : {
        note: `better in ${Math.round(100 * paired.probabilityOfImprovement)} % of ${formatQuantity(paired.numPairs, 'seed')}`,
      };

/** Interquartile means, and differences to the first arm and to random changes. */
export function FinalSection({ report }: Props) {
  const { final, baseline, random } = report;
  const others = final.filter(({ arm }) => arm !== baseline);
  return (
    <section>
      <h3>Scores at the end</h3>
      <div className="report-plots">
        <IntervalRows
          title="Interquartile mean over seeds"
          rows={final.map(({ arm, figure }) => ({
            label: arm,
            color: colorOf(report, arm),
            figure: scoreOf(figure),
          }))}
        />
        <IntervalRows
          title={`Difference to ${baseline}`}
          isDifference
          rows={others.map(({ arm, vsBaseline }) => ({
            label: arm,
            color: colorOf(report, arm),
            figure: differenceOf(vsBaseline),
            ...chanceOf(vsBaseline),
          }))}
        />
        {random === null || random === baseline ? null : (
          <IntervalRows
            title={`Lift over random valid changes (${random})`}
            isDifference
            rows={others
              .filter(({ arm }) => arm !== random)
              .map(({ arm, vsRandom }) => ({
                label: arm,
                color: colorOf(report, arm),
                figure: differenceOf(vsRandom),
                ...chanceOf(vsRandom),
              }))}
          />
        )}
      </div>
    </section>
  );
}

/** How soon arms get to a score. */
export function ThresholdSection({ report }: Props) {
  const { threshold, baseline } = report;
  if (threshold === null) return null;
  const { value, source, arms } = threshold;
  const why = {
    given: '',
    baseline: `What ${baseline} ends with. `,
    halfway: `Half of the way from untrained policies to the best arm's end: ${baseline} ends no better than untrained. `,
  };
  return (
    <section>
      <h3>Charged steps to {formatValue(value)}</h3>
      <p className="muted">
        {why[source]}First evaluation there; a run that never gets there counts as its whole budget.
      </p>
      <div className="report-plots">
        <IntervalRows
          title="Steps"
          rows={arms.map(({ arm, figure, reached, numRuns }) => ({
            label: arm,
            color: colorOf(report, arm),
            figure: scoreOf(figure),
            note: `${reached} of ${numRuns} got there`,
          }))}
          format={formatCount}
        />
      </div>
    </section>
  );
}

const percent = (share: number) => `${Math.round(100 * share)} %`;

/** Scores where nobody trains. */
export function HeldOutSection({ report }: Props) {
  const { heldOut, baseline } = report;
  return (
    <section>
      <h3>Held-out environments</h3>
      {heldOut.environments.length === 0 ? (
        <p className="muted">
          The experiment names none: with <code>heldOut</code> policies are scored where no arm trains.
        </p>
      ) : null}
      <div className="report-plots">
        {heldOut.environments.map(({ name, arms }) => (
          <IntervalRows
            key={name}
            title={name}
            rows={arms.map(({ arm, figure, vsBaseline }) => ({
              label: arm,
              color: colorOf(report, arm),
              figure: scoreOf(figure),
              ...chanceOf(vsBaseline),
            }))}
          />
        ))}
      </div>
      {heldOut.overall.map(({ arm, probabilityOfImprovement, low, high, numPairs }) => (
        <p key={arm}>
          Over all of them <strong>{arm}</strong> is better than {baseline} in{' '}
          {percent(probabilityOfImprovement)}
          {numPairs > 1 ? (
            <span className="muted">
              {' '}
              [{percent(low)}, {percent(high)}] of {formatQuantity(numPairs, 'seed')}
            </span>
          ) : null}
          .
        </p>
      ))}
    </section>
  );
}

/** Steps behind the figures. */
export function SpentSection({ report }: Props) {
  return (
    <section>
      <h3>What was spent</h3>
      <div className="scroll-x">
        <table className="table">
          <thead>
            <tr>
              <th>Arm</th>
              <th>Coach</th>
              <th className="number">Finished runs</th>
              <th className="number">Charged steps</th>
              <th className="number">Of them trials</th>
              <th className="number">Evaluation, not charged</th>
            </tr>
          </thead>
          <tbody>
            {report.arms.map((arm) => (
              <tr key={arm.name}>
                <td>{arm.name}</td>
                <td>{arm.model === null ? arm.provider : `${arm.provider} (${arm.model})`}</td>
                <td className="number">
                  {arm.numFinished} of {arm.numRuns}
                </td>
                <td className="number">
                  {arm.chargedSteps === null ? '–' : formatCount(arm.chargedSteps.most)}
                </td>
                <td className="number">{arm.trialSteps === null ? '–' : formatCount(arm.trialSteps)}</td>
                <td className="number">
                  {arm.evaluationSteps === null ? '–' : formatCount(arm.evaluationSteps)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
