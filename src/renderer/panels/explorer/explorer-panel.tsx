import { Empty, Failure, Waiting } from '../../components/feedback.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { TreeView } from '../../components/tree-view.tsx';
import type { FileRow } from './file-tree.ts';
import { useExplorer } from './use-explorer.ts';

const icons: Readonly<Record<FileRow['kind'], IconName>> = {
  folder: 'folder',
  environment: 'environment',
  prompt: 'prompt',
  experiment: 'experiment',
  model: 'model',
  other: 'file',
};

/** Files of the workspace. */
export function ExplorerPanel() {
  const view = useExplorer();
  if (view.rows.status === 'pending') return <Waiting what="Reading the workspace" />;
  if (view.rows.status === 'failed')
    return <Failure title="The workspace cannot be read" error={view.rows.error} onRetry={view.refresh} />;
  if (view.rows.value.length === 0) {
    return (
      <Empty icon="folder" title="Empty workspace">
        <p>
          <code>npx gymwright init DIR</code> writes a sample with an environment, a prompt and an experiment.
        </p>
      </Empty>
    );
  }
  return (
    <TreeView
      label="Workspace files"
      rows={view.rows.value}
      selectedId={null}
      onToggle={view.toggle}
      onOpen={view.open}
      renderRow={(row) => (
        <>
          <Icon name={icons[row.kind]} />
          <span className="label truncate">{row.label}</span>
          {row.isDirty ? <span className="dot" data-tone="accent" title="Unsaved changes" /> : null}
        </>
      )}
    />
  );
}
