import type { ProbeFigure, ProbeSummary } from '../../../shared/contract/coach-probe.ts';
import type { ReportView } from '../../../shared/contract/report.ts';

const percent = (value: number): number => Math.round(100 * value);

function Percent({ figure: { value, low, high } }: { figure: ProbeFigure }) {
  return (
    <td>
      {percent(value)} %{' '}
      <span className="muted">
        [{percent(low)}, {percent(high)}]
      </span>
    </td>
  );
}

const sourceOf = ({ provider, model }: ProbeSummary) =>
  model === null ? provider : `${provider} (${model})`;

/** Who finds what repairs planted defects: whether a model reads its snapshot at all shows here and not in its proposals. */
export function ProbeSection({ report: { probes } }: { readonly report: ReportView }) {
  if (probes.length === 0) return null;
  return (
    <section>
      <h3>Planted defects</h3>
      <p className="muted">
        How often the first choice, or one of the first three, repairs a planted defect. A model that reads
        its snapshot falls with shuffled ones. Brackets: 95 %.
      </p>
      <div className="scroll-x">
        <table className="table">
          <thead>
            <tr>
              <th>Who chose</th>
              <th>Snapshots</th>
              <th>Prompt</th>
              <th>Defects</th>
              <th>Top 1</th>
              <th>Top 3</th>
              <th>MRR</th>
              <th>Top 1 over uniform choice</th>
            </tr>
          </thead>
          <tbody>
            {probes.map((probe) => (
              <tr key={JSON.stringify([probe.provider, probe.modelHash, probe.promptHash, probe.isShuffled])}>
                <td>{sourceOf(probe)}</td>
                <td>{probe.isShuffled ? 'shuffled' : 'own'}</td>
                <td className="mono">{probe.promptHash?.slice(0, 8) ?? '–'}</td>
                <td>{probe.numDefects}</td>
                <Percent figure={probe.figures.top1} />
                <Percent figure={probe.figures.top3} />
                <td>{probe.figures.reciprocalRank.value.toFixed(2)}</td>
                <Percent figure={probe.overRandom.top1} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
