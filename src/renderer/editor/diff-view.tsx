import { useEffect, useRef } from 'react';
import { editorOptions } from './code-editor.tsx';
import { loadMonaco, type MonacoApi } from './load-monaco.ts';

export interface DiffViewProps {
  readonly before: string;
  readonly after: string;
  readonly language: string;
  readonly label: string;
  /** When given, the right side can be edited and every change is told. */
  readonly onEdit?: ((text: string) => void) | undefined;
}

type DiffEditor = ReturnType<MonacoApi['editor']['createDiffEditor']>;

/** Two texts side by side in Monaco's diff editor. */
export function DiffView({ before, after, language, label, onEdit }: DiffViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const mounted = useRef<DiffEditor | null>(null);
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
        readOnly: !isEditable,
        originalEditable: false,
        renderOverviewRuler: false,
        hideUnchangedRegions: { enabled: !isEditable, contextLineCount: 3 },
        renderGutterMenu: false,
        useInlineViewWhenSpaceIsLimited: true,
      });
      editor.setModel({ original, modified });
      const subscription = modified.onDidChangeContent(() => latestEdit.current?.(modified.getValue()));
      mounted.current = editor;
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
  }, [before, after, language, isEditable]);

  return <section className="diff-host" ref={host} aria-label={label} />;
}
