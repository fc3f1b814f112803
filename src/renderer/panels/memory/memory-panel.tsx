import type { MemoryEntry } from '../../../shared/contract/coach-memory.ts';
import { Button } from '../../components/button.tsx';
import { Badge, Empty, Failure, Waiting } from '../../components/feedback.tsx';
import { effectWords, situationWords, verdictWords } from './memory-words.ts';
import { type MemoryView, useMemory } from './use-memory.ts';

/** What the workspace's coaches remember, and which runs use it. */
export function MemoryPanel() {
  const view = useMemory();
  return (
    <div className="panel">
      <div className="panel-toolbar">
        <select
          className="select"
          aria-label="Which memory"
          value={view.shown ?? ''}
          onChange={({ target }) => view.show(target.value === '' ? null : target.value)}
        >
          <option value="">now: for a study that begins</option>
          {view.frozen.map(({ hash, uses }) => (
            <option key={hash} value={hash}>
              {hash.slice(0, 8)}: {uses.join('; ')}
            </option>
          ))}
        </select>
        <span className="spacer" />
        <Button label="Refresh" variant="ghost" onPress={view.refresh} />
      </div>
      <div className="panel-body">
        <MemoryBody view={view} />
      </div>
    </div>
  );
}

/** The remembered changes, and whose they are. */
export function MemoryBody({ view }: { view: MemoryView }) {
  const { entries } = view;
  if (entries.status === 'pending') return <Waiting what="Reading the record" />;
  if (entries.status === 'failed')
    return <Failure title="The memory cannot be read" error={entries.error} onRetry={view.refresh} />;
  return (
    <article className="compare memory">
      <Uses view={view} />
      {entries.value.length === 0 ? (
        <Empty icon="memory" title="Nothing is remembered">
          <p>Studies with a coach leave what they tried, and what you decided.</p>
        </Empty>
      ) : (
        <EntryTable entries={entries.value} view={view} />
      )}
    </article>
  );
}

function Uses({ view: { frozen, shown } }: { view: MemoryView }) {
  if (shown !== null) {
    return (
      <p className="muted">
        As the study froze it when it began: its runs read this and nothing newer. <code>{shown}</code>
      </p>
    );
  }
  if (frozen.length === 0) {
    return (
      <p className="muted">
        No run uses memory: <code>memory: {'{}'}</code> in the coach block of an experiment lets its coach
        learn from this.
      </p>
    );
  }
  return (
    <section>
      <h3>Runs that use memory</h3>
      <ul>
        {frozen.map(({ hash, uses }) => (
          <li key={hash}>
            <code title={hash}>{hash.slice(0, 8)}</code> {uses.join('; ')}
          </li>
        ))}
      </ul>
    </section>
  );
}

function EntryTable({ entries, view }: { entries: readonly MemoryEntry[]; view: MemoryView }) {
  return (
    <div className="scroll-x">
      <table className="table">
        <thead>
          <tr>
            <th>Change</th>
            <th>Measured effect</th>
            <th>So</th>
            <th>Situation</th>
            <th>Source</th>
            {view.shown === null ? (
              <th>
                <span className="visually-hidden">Forget</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <EntryRow key={entry.proposalId} entry={entry} view={view} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EntryRow({ entry, view }: { entry: MemoryEntry; view: MemoryView }) {
  const { changes, scenario, objective, isForgotten } = entry;
  const edl = changes.map((change) => change.edl).filter((text) => text !== '');
  const title = changes.map(({ op, target }) => `${op} ${target}`).join('; ');
  return (
    <tr>
      <td>
        <button type="button" className="link mono" onClick={() => view.openProposal(entry)}>
          {title}
        </button>
        {edl.length === 0 ? null : (
          <details>
            <summary className="muted">as it was written</summary>
            <pre className="mono prose">{edl.join('\n')}</pre>
          </details>
        )}
      </td>
      <td>
        {effectWords(entry)}
        <div className="muted">
          {objective.metric} of {objective.group}, {objective.better} is better
        </div>
      </td>
      <td>
        {verdictWords(entry, view.shown !== null).map(({ label, tone }) => (
          <Badge key={label} tone={tone}>
            {label}
          </Badge>
        ))}
      </td>
      <td>
        {scenario.name} v{scenario.version}, {situationWords(entry)}
      </td>
      <td>{view.sourceOf(entry)}</td>
      {view.shown === null ? (
        <td>
          <button
            type="button"
            className="link"
            aria-label={`${isForgotten ? 'Remember' : 'Forget'} ${title}, ${view.sourceOf(entry)}`}
            onClick={() => view.setForgotten(entry, !isForgotten)}
          >
            {isForgotten ? 'remember' : 'forget'}
          </button>
        </td>
      ) : null}
    </tr>
  );
}
