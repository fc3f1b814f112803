import { Button } from '../../components/button.tsx';
import { Dot, Empty, Failure, Waiting } from '../../components/feedback.tsx';
import { formatValue } from '../../components/format.ts';
import { Icon } from '../../components/icon.tsx';
import { isLive, toneOfRunState } from '../../components/run-state.ts';
import { TreeView } from '../../components/tree-view.tsx';
import type { StudyRow } from './study-tree.ts';
import { type StudiesView, useStudies } from './use-studies.ts';

/** Studies and their runs; ticked runs are charted and compared. */
export function StudiesPanel() {
  const view = useStudies();
  if (view.rows.status === 'pending') return <Waiting what="Reading studies" />;
  if (view.rows.status === 'failed')
    return <Failure title="Studies cannot be read" error={view.rows.error} onRetry={view.retry} />;
  if (view.rows.value.length === 0) {
    return (
      <Empty icon="runs" title="No runs yet">
        <p>Open an experiment and press Start, or choose one in the bar above.</p>
      </Empty>
    );
  }
  return (
    <div className="panel">
      <div className="panel-toolbar">
        <span className="muted">{view.numChosen} chosen</span>
        <span className="spacer" />
        <Button label="Show charts" icon="chart" variant="ghost" isIconOnly onPress={view.showCharts} />
        <Button label="Show the report" icon="report" variant="ghost" isIconOnly onPress={view.showReport} />
        <Button
          label="Watch how a policy plays"
          icon="watch"
          variant="ghost"
          isIconOnly
          onPress={() => view.watch()}
        />
        <Button label="Compare" icon="compare" isDisabled={view.numChosen < 1} onPress={view.compare} />
      </div>
      <div className="panel-body">
        <TreeView
          label="Studies and runs"
          rows={view.rows.value}
          selectedId={view.activeStudyId}
          onToggle={view.toggle}
          onOpen={view.chooseRun}
          onMark={(row) => (row.kind === 'run' ? view.chooseRun(row) : view.chooseAll(row))}
          renderRow={(row) =>
            row.kind === 'study' ? <StudyLine row={row} view={view} /> : <RunLine row={row} view={view} />
          }
        />
      </div>
    </div>
  );
}

function StudyLine({ row, view }: { row: StudyRow; view: StudiesView }) {
  return (
    <>
      <Dot tone={toneOfRunState(row.state)} isLive={row.state === 'running'} />
      <span className="label truncate" title={`${row.label} · ${row.detail}`}>
        <strong>{row.label}</strong> <span className="muted">{row.detail}</span>
      </span>
      <span className="side">{isLive(row.state) ? `${Math.round(row.fraction * 100)} %` : row.state}</span>
      <button
        type="button"
        className="link"
        tabIndex={-1}
        aria-label={`Choose all runs of ${row.label} ${row.detail}`}
        onClick={(event) => {
          event.stopPropagation();
          view.chooseAll(row);
        }}
      >
        all
      </button>
    </>
  );
}

function RunLine({ row, view }: { row: StudyRow; view: StudiesView }) {
  return (
    <>
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={`Choose ${row.label}`}
        checked={row.isChosen}
        onChange={() => view.chooseRun(row)}
        onClick={(event) => event.stopPropagation()}
      />
      <Dot tone={toneOfRunState(row.state)} isLive={row.state === 'running'} />
      <span className="label truncate" title={row.error ?? undefined}>
        {row.label} {row.detail === '' ? null : <span className="muted">{row.detail}</span>}
      </span>
      <span className="side" title="Last evaluation on the objective">
        {row.objective === null
          ? isLive(row.state)
            ? `${Math.round(row.fraction * 100)} %`
            : row.state
          : formatValue(row.objective)}
      </span>
      <button
        type="button"
        className="link"
        tabIndex={-1}
        aria-label={`Watch ${row.label}`}
        title="Watch how its policy plays"
        onClick={(event) => {
          event.stopPropagation();
          view.watch(row);
        }}
      >
        <Icon name="watch" />
      </button>
    </>
  );
}
