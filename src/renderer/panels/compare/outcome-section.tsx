import type { ArmSummary, StudyView } from '../../../shared/contract/runs.ts';
import { intervalLabel } from '../../../shared/std/statistics.ts';
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
        seeds with its interval at 95 %, or with the range of the seeds where there are fewer than six.
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
        {objective ? <Bracket {...objective} count={objective.numSeeds} /> : null}
      </td>
      <td className="number">
        {vsBaseline ? (
          <>
            {formatDifference(vsBaseline.difference)} <Bracket {...vsBaseline} count={vsBaseline.numPairs} />
          </>
        ) : (
          '–'
        )}
      </td>
      <td className="number">{formatValue(vsBaseline?.probabilityOfImprovement)}</td>
    </tr>
  );
}

function Bracket({ low, high, count }: { low: number; high: number; count: number }) {
  if (count < 2) return null;
  return (
    <span className="muted">
      {intervalLabel(count)} [{formatValue(low)}, {formatValue(high)}]
    </span>
  );
}
