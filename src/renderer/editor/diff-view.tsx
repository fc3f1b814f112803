import { useEffect, useRef } from 'react';
import type { Diagnostic } from '../../shared/contract/edl.ts';
import { editorOptions } from './code-editor.tsx';
import { loadMonaco, type MonacoApi } from './load-monaco.ts';
import { markersOf } from './markers.ts';

export interface DiffViewProps {
  readonly before: string;
  readonly after: string;
  readonly language: string;
  readonly label: string;
  /** When given, the right side can be edited and every change is told. */
  readonly onEdit?: ((text: string) => void) | undefined;
  /** Nothing can be edited for the moment; what was edited stays. */
  readonly isHeld?: boolean;
  /** Marked in the right side. */
  readonly diagnostics?: readonly Diagnostic[];
}

const none: readonly Diagnostic[] = [];

type DiffEditor = ReturnType<MonacoApi['editor']['createDiffEditor']>;

/** Two texts side by side in Monaco's diff editor. */
export function DiffView({
  before,
  after,
  language,
  label,
  onEdit,
  isHeld = false,
  diagnostics = none,
}: DiffViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const mounted = useRef<{ monaco: MonacoApi; editor: DiffEditor } | null>(null);
  const latestEdit = useRef(onEdit);
  latestEdit.current = onEdit;
  const isEditable = onEdit !== undefined;

  useEffect(() => {
    let isGone = false;
    let dispose = (): void => undefined;
    void loadMonaco().then((monaco) => {
      if (isGone || !host.current) return;
      const original = monaco.editor.createModel(before, language);
      const modified = monaco.editor.createModel(after, language);
      const editor = monaco.editor.createDiffEditor(host.current, {
        ...editorOptions,
        ...optionsFor(latestEdit.current !== undefined),
        originalEditable: false,
        renderOverviewRuler: false,
        renderGutterMenu: false,
        useInlineViewWhenSpaceIsLimited: true,
      });
      editor.setModel({ original, modified });
      const subscription = modified.onDidChangeContent(() => latestEdit.current?.(modified.getValue()));
      mounted.current = { monaco, editor };
      dispose = () => {
        subscription.dispose();
        editor.dispose();
        original.dispose();
        modified.dispose();
        mounted.current = null;
      };
    });
    return () => {
      isGone = true;
      dispose();
    };
  }, [before, after, language]);

  // The editor stays: one made anew would lose the place, and its diff while that is computed.
  useEffect(() => {
    const editor = mounted.current?.editor;
    editor?.updateOptions(optionsFor(isEditable));
    const modified = editor?.getModel()?.modified;
    if (!isEditable && modified && modified.getValue() !== after) modified.setValue(after);
  }, [isEditable, after]);

  useEffect(() => {
    if (isEditable) mounted.current?.editor.updateOptions({ readOnly: isHeld });
  }, [isEditable, isHeld]);

  useEffect(() => {
    const model = mounted.current?.editor.getModel()?.modified;
    if (!mounted.current || !model) return;
    const { monaco } = mounted.current;
    monaco.editor.setModelMarkers(model, 'edl', markersOf(monaco.MarkerSeverity, diagnostics));
  }, [diagnostics]);

  return <section className="diff-host" ref={host} aria-label={label} />;
}

/** What is edited is shown as a whole. */
function optionsFor(isEditable: boolean) {
  return { readOnly: !isEditable, hideUnchangedRegions: { enabled: !isEditable, contextLineCount: 3 } };
}
