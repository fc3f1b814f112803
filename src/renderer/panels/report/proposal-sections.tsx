import type { FunnelRow, ImpactRow, ReportView } from '../../../shared/contract/report.ts';
import { describeRowsUnusable } from '../../../shared/contract/unusable-answers.ts';
import { NoticeBox } from '../../components/feedback.tsx';
import { formatValue } from '../../components/format.ts';
import { colorOf } from './arm-colors.ts';

type Props = { readonly report: ReportView };

const stages = ['asked', 'parsed', 'valid', 'tried', 'accepted', 'improved'] as const;

const sourceOf = ({ provider, model }: Pick<FunnelRow, 'provider' | 'model'>) =>
  model === null ? provider : `${provider} (${model})`;

/** How far answers came, each stage as a share of those asked. */
export function FunnelSection({ report }: Props) {
  const { funnel } = report;
  return (
    <section>
      <h3>Proposals</h3>
      {funnel.length === 0 ? <p className="muted">Nobody was asked.</p> : null}
      {funnel.length > 0 ? (
        <>
          <p className="muted">
            Improved: the first round with the change ended better than the one before, and the change was not
            undone later. Training has its part in that.
          </p>
          <div className="scroll-x">
            <table className="table funnel">
              <thead>
                <tr>
                  <th>Arm</th>
                  <th>Who proposed</th>
                  <th>Prompt</th>
                  {stages.map((stage) => (
                    <th key={stage}>{stage}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {funnel.map((row) => (
                  <tr key={JSON.stringify([row.arm, row.provider, row.model, row.prompt])}>
                    <td>{row.arm}</td>
                    <td>{sourceOf(row)}</td>
                    <td className="mono">{row.prompt?.slice(0, 8) ?? '–'}</td>
                    {stages.map((stage) => (
                      <td key={stage}>
                        <Share count={row[stage]} of={row.asked} color={colorOf(report, row.arm)} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {describeRowsUnusable(funnel).map((line) => (
            <NoticeBox key={line} tone="warning">
              <span>{line}</span>
            </NoticeBox>
          ))}
        </>
      ) : null}
    </section>
  );
}

function Share({ count, of, color }: { count: number; of: number; color: number }) {
  const percent = of === 0 ? 0 : (100 * count) / of;
  return (
    <div className="share" title={`${count} of ${of}, ${Math.round(percent)} %`}>
      <span>{count}</span>
      <span className="bar">
        <span style={{ width: `${percent}%`, background: `var(--series-${color})` }} />
      </span>
    </div>
  );
}

/** What changes were expected to do against what was measured. */
export function ImpactSection({ report: { impact } }: Props) {
  if (impact.length === 0) return null;
  return (
    <section>
      <h3>Expected and measured</h3>
      <p className="muted">
        By trials on the objective; by the rounds around a change on other metrics, which training moves, too.
        Half right is what a coin would be.
      </p>
      <div className="scroll-x">
        <table className="table">
          <thead>
            <tr>
              <th>Arm</th>
              <th>Who proposed</th>
              <th>Measured by</th>
              <th className="number">Direction right</th>
              <th className="number">Size right, of those</th>
            </tr>
          </thead>
          <tbody>
            {impact.map((row) => (
              <tr key={JSON.stringify([row.arm, row.provider, row.model, row.basis])}>
                <td>{row.arm}</td>
                <td>{sourceOf(row)}</td>
                <td>{row.basis === 'trial' ? 'trials' : 'rounds'}</td>
                <td className="number">
                  <Hits share={row.direction} />
                </td>
                <td className="number">
                  <Hits share={row.size} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Hits({ share: { hits, of, low, high } }: { share: ImpactRow['size'] }) {
  if (of === 0) return <>–</>;
  return (
    <>
      {hits} of {of}{' '}
      <span className="muted">
        [{formatValue(low)}, {formatValue(high)}]
      </span>
    </>
  );
}

/** What coaches could not say in the language. */
export function WishesSection({ report: { wishes } }: Props) {
  if (wishes.length === 0) return null;
  return (
    <section>
      <h3>Wishes</h3>
      <ul>
        {wishes.map((wish) => (
          <li key={JSON.stringify([wish.text, wish.provider, wish.model])}>
            {wish.text}{' '}
            <span className="muted">
              ({wish.count}×, {sourceOf(wish)})
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
