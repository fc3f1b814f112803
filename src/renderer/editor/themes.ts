import { type SemanticTokenType, semanticTokenTypes } from '../../shared/contract/edl-documents.ts';
import type { Theme } from '../state/settings-model.ts';
import type { MonacoApi } from './load-monaco.ts';
import { monacoThemeOf } from './monaco-theme.ts';

interface Palette {
  readonly base: 'vs' | 'vs-dark' | 'hc-black';
  readonly background: string;
  readonly text: string;
  readonly comment: string;
  readonly keyword: string;
  readonly type: string;
  readonly number: string;
  readonly string: string;
  /** What entities have: attributes, signals, metrics, parameters. */
  readonly member: string;
  /** Functions, relations, behaviours, events. */
  readonly callable: string;
  readonly muted: string;
  readonly line: string;
}

const palettes: Readonly<Record<Theme, Palette>> = {
  light: {
    base: 'vs',
    background: '#ffffff',
    text: '#1b222b',
    comment: '#5f6b79',
    keyword: '#0a6e64',
    type: '#7d3fb8',
    number: '#b4530a',
    string: '#3d56c5',
    member: '#9c2f6b',
    callable: '#75590b',
    muted: '#6b7683',
    line: '#f3f6f8',
  },
  dark: {
    base: 'vs-dark',
    background: '#171b20',
    text: '#d9dee5',
    comment: '#8793a1',
    keyword: '#53c5b7',
    type: '#c79bf2',
    number: '#f0a35e',
    string: '#8fa8ff',
    member: '#f19ac0',
    callable: '#d9c57a',
    muted: '#8793a1',
    line: '#1c2127',
  },
  contrast: {
    base: 'hc-black',
    background: '#000000',
    text: '#ffffff',
    comment: '#c8c8c8',
    keyword: '#5ef2de',
    type: '#dcb6ff',
    number: '#ffb300',
    string: '#9db8ff',
    member: '#ffb0d4',
    callable: '#ffe68a',
    muted: '#dcdcdc',
    line: '#141414',
  },
};

/** Colours of names by what they are. */
const colours: Readonly<Record<SemanticTokenType, 'type' | 'text' | 'member' | 'callable' | 'number'>> = {
  scenario: 'type',
  declaration: 'text',
  parameter: 'member',
  set: 'type',
  variable: 'text',
  attribute: 'member',
  signal: 'member',
  metric: 'member',
  function: 'callable',
  unit: 'number',
  event: 'callable',
  behaviour: 'callable',
};

/** Lists, hovers and the outline in the colours of the workbench. */
function widgetColors({ background, text, keyword, muted, line }: Palette): Record<string, string> {
  const chosen = `${keyword}33`;
  return {
    focusBorder: keyword,
    'editorWidget.background': background,
    'editorWidget.border': `${muted}66`,
    'editorHoverWidget.background': background,
    'editorHoverWidget.foreground': text,
    'editorHoverWidget.border': `${muted}66`,
    'editorSuggestWidget.background': background,
    'editorSuggestWidget.border': `${muted}66`,
    'editorSuggestWidget.foreground': text,
    'editorSuggestWidget.selectedBackground': chosen,
    'editorSuggestWidget.selectedForeground': text,
    'editorSuggestWidget.highlightForeground': keyword,
    'editorSuggestWidget.focusHighlightForeground': keyword,
    'quickInput.background': background,
    'quickInputList.focusBackground': chosen,
    'quickInputList.focusForeground': text,
    'list.hoverBackground': line,
    'list.highlightForeground': keyword,
    'list.focusHighlightForeground': keyword,
    'editor.rangeHighlightBackground': `${keyword}1a`,
    'editor.wordHighlightBackground': `${keyword}26`,
    'editor.wordHighlightStrongBackground': `${keyword}33`,
  };
}

/** Registers the three themes, in the workbench's own colours. */
export function defineThemes(monaco: MonacoApi): void {
  for (const [theme, palette] of Object.entries(palettes) as [Theme, Palette][]) {
    const rule = (token: string, color: string, fontStyle?: string) => ({
      token,
      foreground: color.slice(1),
      ...(fontStyle === undefined ? {} : { fontStyle }),
    });
    monaco.editor.defineTheme(monacoThemeOf(theme), {
      base: palette.base,
      inherit: true,
      rules: [
        rule('', palette.text),
        rule('comment', palette.comment, 'italic'),
        rule('keyword', palette.keyword),
        rule('type', palette.type),
        rule('number', palette.number),
        rule('string', palette.string),
        rule('operator', palette.muted),
        rule('delimiter', palette.muted),
        rule('identifier', palette.text),
        ...semanticTokenTypes.map((type) =>
          rule(type, palette[colours[type]], type === 'declaration' ? 'bold' : undefined),
        ),
      ],
      colors: {
        'editor.background': palette.background,
        'editor.foreground': palette.text,
        'editorLineNumber.foreground': palette.muted,
        'editorLineNumber.activeForeground': palette.text,
        'editor.lineHighlightBackground': palette.line,
        'editor.lineHighlightBorder': '#00000000',
        'editorGutter.background': palette.background,
        'diffEditor.border': palette.line,
        ...widgetColors(palette),
      },
    });
  }
}
