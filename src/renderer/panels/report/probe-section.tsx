import type { ProbeFigure, ProbeSummary } from '../../../shared/contract/coach-probe.ts';
import type { ReportView } from '../../../shared/contract/report.ts';
import { formatDifference, formatPercent } from '../../components/format.ts';

const signed = (share: number): string =>
  Math.round(100 * share) > 0 ? `+${formatPercent(share)}` : formatPercent(share);

const difference = (mean: number): string => formatDifference(Number(mean.toFixed(2)));

function Percent({
  figure: { value, low, high },
  format = formatPercent,
}: {
  figure: ProbeFigure;
  format?: (share: number) => string;
}) {
  return (
    <td className="number">
      {format(value)} %{' '}
      <span className="muted">
        [{format(low)}, {format(high)}]
      </span>
    </td>
  );
}

/** Of a row with the defects' own snapshots, where the same chooser was shown others as well. */
function OverShuffled({ probe: { isShuffled, overShuffled } }: { readonly probe: ProbeSummary }) {
  if (isShuffled || overShuffled === null) return <td className="number muted">–</td>;
  const { value, low, high } = overShuffled.reciprocalRank;
  return (
    <td className="number">
      {difference(value)}{' '}
      <span className="muted">
        [{difference(low)}, {difference(high)}]
      </span>
    </td>
  );
}

const sourceOf = ({ provider, model }: ProbeSummary) =>
  model === null ? provider : `${provider} (${model})`;

/** Who finds what repairs planted defects: whether a model reads its snapshot at all shows here and not in its proposals. */
export function ProbeSection({ report: { probes } }: { readonly report: ReportView }) {
  return (
    <section>
      <h3>Planted defects</h3>
      {probes.length === 0 ? (
        <p className="muted">
          Nobody was asked in this workspace: <code>npx gymwright coach probe</code> measures how often a
          coach finds what repairs a planted defect.
        </p>
      ) : (
        <ProbeTable probes={probes} />
      )}
    </section>
  );
}

function ProbeTable({ probes }: { readonly probes: readonly ProbeSummary[] }) {
  return (
    <>
      <p className="muted">
        How often the first choice, or one of the first three, repairs a planted defect; MRR is the mean of
        one over the place of the first repair. A model that reads its snapshot falls with shuffled ones: it
        is above them, defect by defect. Measured in this workspace, whichever study is shown. Brackets: 95 %.
      </p>
      <div className="scroll-x">
        <table className="table">
          <thead>
            <tr>
              <th>Who chose</th>
              <th>Snapshots</th>
              <th>Prompt</th>
              <th className="number">Defects</th>
              <th className="number">Top 1</th>
              <th className="number">Top 3</th>
              <th className="number">MRR</th>
              <th className="number">Top 1 over uniform</th>
              <th className="number">MRR over shuffled</th>
            </tr>
          </thead>
          <tbody>
            {probes.map((probe) => (
              <tr key={JSON.stringify([probe.provider, probe.modelHash, probe.promptHash, probe.isShuffled])}>
                <td>{sourceOf(probe)}</td>
                <td>{probe.isShuffled ? 'shuffled' : 'own'}</td>
                <td className="mono">{probe.promptHash?.slice(0, 8) ?? '–'}</td>
                <td className="number">{probe.numDefects}</td>
                <Percent figure={probe.figures.top1} />
                <Percent figure={probe.figures.top3} />
                <td className="number">{probe.figures.reciprocalRank.value.toFixed(2)}</td>
                <Percent figure={probe.overRandom.top1} format={signed} />
                <OverShuffled probe={probe} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
