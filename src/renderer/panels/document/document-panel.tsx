import type { IDockviewPanelProps } from 'dockview-react';
import { Button } from '../../components/button.tsx';
import { Badge, Failure, NoticeBox, Waiting } from '../../components/feedback.tsx';
import { CodeEditor } from '../../editor/code-editor.tsx';
import { type DocumentView, useDocument } from './use-document.ts';

/** One file in an editor. */
export function DocumentPanel({ params }: IDockviewPanelProps<{ path: string }>) {
  const view = useDocument(params.path);
  if (view.status === 'pending') return <Waiting what={`Opening ${params.path}`} />;
  if (view.status === 'failed')
    return <Failure title={`${params.path} cannot be opened`} error={view.error} onRetry={view.retry} />;
  const { document } = view;
  return (
    <div className="panel">
      <div className="panel-toolbar">
        <span className="muted truncate">{document.path}</span>
        <DiagnosticCount view={view} />
        <span className="spacer" />
        <span className="muted">
          Ln {view.cursor.line + 1}, Col {view.cursor.character + 1}
        </span>
        {document.kind === 'experiment' ? (
          <Button label="Start" icon="play" variant="primary" onPress={view.start} />
        ) : null}
        {document.kind === 'environment' ? (
          <Button label="Format" keys="Shift+Alt+F" onPress={view.format} />
        ) : null}
        <Button
          label="Save"
          keys="Ctrl+S"
          isDisabled={!view.isDirty || view.isReadOnly}
          onPress={view.save}
        />
      </div>
      <SyncNotice view={view} />
      <div className="panel-body">
        <CodeEditor
          path={document.path}
          kind={document.kind}
          text={document.text}
          revision={document.revision}
          isReadOnly={view.isReadOnly}
          diagnostics={document.diagnostics}
          onChange={view.edit}
          onCursor={view.setCursor}
          onReveal={view.onReveal}
        />
      </div>
    </div>
  );
}

type ReadyView = Extract<DocumentView, { status: 'ready' }>;

function DiagnosticCount({ view: { document, isReadOnly } }: { view: ReadyView }) {
  const numErrors = document.diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
  const numWarnings = document.diagnostics.filter((diagnostic) => diagnostic.severity === 'warning').length;
  return (
    <>
      {numErrors > 0 ? <Badge tone="bad">{numErrors === 1 ? '1 error' : `${numErrors} errors`}</Badge> : null}
      {numWarnings > 0 ? (
        <Badge tone="warning">{numWarnings === 1 ? '1 warning' : `${numWarnings} warnings`}</Badge>
      ) : null}
      {isReadOnly ? <Badge>read-only workspace</Badge> : null}
    </>
  );
}

/** Says when the text and its file have gone apart, and offers both ways out. */
function SyncNotice({ view }: { view: ReadyView }) {
  const { sync } = view.document;
  if (sync.state === 'conflict') {
    return (
      <NoticeBox tone="warning">
        <span className="notice-text">
          The file changed on disk since this text was read. Nothing was written.
        </span>
        <Button label="Take the file's text" onPress={view.revert} />
        <Button label="Keep mine and write over it" onPress={view.overwrite} />
      </NoticeBox>
    );
  }
  if (sync.state === 'failed') {
    return (
      <NoticeBox tone="bad">
        <span className="notice-text">Not saved: {sync.message} The text is kept here.</span>
        <Button label="Try again" onPress={view.save} />
      </NoticeBox>
    );
  }
  return null;
}
