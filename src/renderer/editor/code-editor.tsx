import { useEffect, useRef } from 'react';
import type { Diagnostic } from '../../shared/contract/edl.ts';
import type { RevealPosition } from '../app/dock-controller.ts';
import type { DocumentKind } from '../state/document.ts';
import { modelFor } from './editor-registry.ts';
import { edlLanguageId } from './edl-language-id.ts';
import { loadMonaco, type MonacoApi } from './load-monaco.ts';
import { markersOf } from './markers.ts';

export interface CodeEditorProps {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly text: string;
  /** Rises when `text` was replaced from outside and the editor has to take it over. */
  readonly revision: number;
  readonly isReadOnly: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly onChange: (text: string) => void;
  readonly onCursor: (position: RevealPosition) => void;
  /** Registers the listener that moves the cursor; returns the function that ends it. */
  readonly onReveal: (listener: (position: RevealPosition) => void) => () => void;
}

type Editor = ReturnType<MonacoApi['editor']['create']>;

export function languageOf(kind: DocumentKind): string {
  if (kind === 'environment') return edlLanguageId;
  if (kind === 'prompt') return 'markdown';
  return kind === 'experiment' ? 'yaml' : 'plaintext';
}

/** A Monaco editor on the shared text model of a document. */
export function CodeEditor(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const mounted = useRef<{ monaco: MonacoApi; editor: Editor } | null>(null);
  const { path, revision, diagnostics, isReadOnly } = props;

  useEffect(() => {
    let isGone = false;
    let dispose = (): void => undefined;
    void loadMonaco().then((monaco) => {
      if (isGone || !host.current) return;
      const { kind, text } = latest.current;
      const model = modelFor(monaco, path, languageOf(kind), text);
      const editor = monaco.editor.create(host.current, {
        ...editorOptions,
        model,
        readOnly: latest.current.isReadOnly,
      });
      mounted.current = { monaco, editor };
      monaco.editor.setModelMarkers(
        model,
        'edl',
        markersOf(monaco.MarkerSeverity, latest.current.diagnostics),
      );
      const subscriptions = [
        model.onDidChangeContent(() => latest.current.onChange(model.getValue())),
        editor.onDidChangeCursorPosition(({ position }) =>
          latest.current.onCursor({ line: position.lineNumber - 1, character: position.column - 1 }),
        ),
      ];
      const endReveal = latest.current.onReveal((position) => reveal(editor, position));
      dispose = () => {
        endReveal();
        for (const subscription of subscriptions) subscription.dispose();
        editor.dispose();
        mounted.current = null;
      };
    });
    return () => {
      isGone = true;
      dispose();
    };
  }, [path]);

  useEffect(() => {
    const model = mounted.current?.editor.getModel();
    const { text } = latest.current;
    if (revision > 0 && model && model.getValue() !== text) {
      model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null);
    }
  }, [revision]);

  useEffect(() => {
    const model = mounted.current?.editor.getModel();
    if (mounted.current && model)
      mounted.current.monaco.editor.setModelMarkers(
        model,
        'edl',
        markersOf(mounted.current.monaco.MarkerSeverity, diagnostics),
      );
  }, [diagnostics]);

  useEffect(() => mounted.current?.editor.updateOptions({ readOnly: isReadOnly }), [isReadOnly]);

  return <div className="editor-host" ref={host} data-path={path} />;
}

function reveal(editor: Editor, position: RevealPosition): void {
  const target = { lineNumber: position.line + 1, column: position.character + 1 };
  editor.setPosition(target);
  editor.revealPositionInCenterIfOutsideViewport(target);
  editor.focus();
}

/** Options every editor of the workbench shares. */
export const editorOptions = {
  automaticLayout: true,
  fontSize: 13,
  lineHeight: 20,
  fontFamily: 'ui-monospace, "JetBrains Mono", "Cascadia Code", Menlo, "DejaVu Sans Mono", monospace',
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  renderLineHighlight: 'line' as const,
  padding: { top: 8, bottom: 8 },
  tabSize: 2,
  overviewRulerBorder: false,
  fixedOverflowWidgets: true,
  accessibilitySupport: 'auto' as const,
  'semanticHighlighting.enabled': true,
  suggest: { showWords: false },
  wordBasedSuggestions: 'off' as const,
  stickyScroll: { enabled: false },
};
