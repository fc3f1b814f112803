import type { ArmSummary, StudyView } from '../../../shared/contract/runs.ts';
import { formatDifference, formatValue } from '../../components/format.ts';

/** Arms of a study on its objective: interquartile mean with interval, and the paired difference to the first arm. */
export function OutcomeSection({ study }: { study: StudyView }) {
  const { metric, group, better } = study.objective;
  if (study.arms.every((arm) => arm.objective === null)) return null;
  return (
    <section>
      <h3>Outcome of {study.name}</h3>
      <p className="muted">
        {metric} of {group} on the objective's own environment, {better} is better; interquartile mean over
        seeds, bootstrap 95 % intervals.
      </p>
      <div className="scroll-x">
        <table className="table">
          <thead>
            <tr>
              <th>Arm</th>
              <th className="number">Seeds</th>
              <th className="number">Objective</th>
              <th className="number">Against {study.arms[0]?.name}</th>
              <th className="number">Chance of improvement</th>
            </tr>
          </thead>
          <tbody>
            {study.arms.map((arm) => (
              <OutcomeRow key={arm.name} arm={arm} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function OutcomeRow({ arm }: { arm: ArmSummary }) {
  const { objective, vsBaseline } = arm;
  return (
    <tr>
      <td>{arm.name}</td>
      <td className="number">{arm.seeds.length}</td>
      <td className="number">
        {formatValue(objective?.iqm)}{' '}
        {objective ? <Interval low={objective.low} high={objective.high} /> : null}
      </td>
      <td className="number">
        {vsBaseline ? (
          <>
            {formatDifference(vsBaseline.difference)} <Interval low={vsBaseline.low} high={vsBaseline.high} />
          </>
        ) : (
          '–'
        )}
      </td>
      <td className="number">{formatValue(vsBaseline?.probabilityOfImprovement)}</td>
    </tr>
  );
}

function Interval({ low, high }: { low: number; high: number }) {
  return (
    <span className="muted">
      [{formatValue(low)}, {formatValue(high)}]
    </span>
  );
}
