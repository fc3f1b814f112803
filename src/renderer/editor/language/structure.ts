import { type OutlineItemView, semanticTokenTypes } from '../../../shared/contract/edl-documents.ts';
import { edlLanguageId } from '../edl-language-id.ts';
import type { MonacoApi } from '../load-monaco.ts';
import { toEditorRange } from './convert.ts';
import { askAbout, editorLanguage } from './editor-language.ts';

/** Outline, folding, colours by meaning, and the canonical layout. */
export function registerStructure({ languages }: MonacoApi): void {
  languages.registerDocumentSymbolProvider(edlLanguageId, {
    displayName: 'EDL',
    async provideDocumentSymbols(model) {
      const items = (await askAbout(model, 'outline', {})) ?? [];
      return items.map((item) => symbolOf(languages, item));
    },
  });
  languages.registerFoldingRangeProvider(edlLanguageId, {
    async provideFoldingRanges(model) {
      const ranges = (await askAbout(model, 'folding', {})) ?? [];
      return ranges.map(({ startLine, endLine, kind }) => ({
        start: startLine + 1,
        end: endLine + 1,
        ...(kind === 'comment' ? { kind: languages.FoldingRangeKind.Comment } : {}),
      }));
    },
  });
  languages.registerDocumentSemanticTokensProvider(edlLanguageId, {
    getLegend: () => ({ tokenTypes: [...semanticTokenTypes, 'other'], tokenModifiers: [] }),
    async provideDocumentSemanticTokens(model) {
      const tokens = await askAbout(model, 'semanticTokens', {});
      return tokens === null ? null : { data: renumber(tokens.types, tokens.data) };
    },
    releaseDocumentSemanticTokens: () => undefined,
  });
  languages.registerDocumentFormattingEditProvider(edlLanguageId, {
    displayName: 'EDL',
    async provideDocumentFormattingEdits(model) {
      const text = (await editorLanguage()?.format(model.getValue())) ?? null;
      return text === null || text === model.getValue() ? [] : [{ range: model.getFullModelRange(), text }];
    },
  });
}

/** The engine's types in this editor's numbers; types it does not know stay uncoloured. */
export function renumber(types: readonly string[], data: readonly number[]): Uint32Array {
  const known: readonly string[] = semanticTokenTypes;
  const numbers = types.map((type) => (known.includes(type) ? known.indexOf(type) : known.length));
  return Uint32Array.from(data, (value, i) => (i % 5 === 3 ? (numbers[value] ?? 0) : value));
}

function symbolOf(
  languages: MonacoApi['languages'],
  item: OutlineItemView,
): ReturnType<typeof makeSymbol> & { children: ReturnType<typeof symbolOf>[] } {
  return {
    ...makeSymbol(languages, item),
    children: item.children.map((child) => symbolOf(languages, child)),
  };
}

function makeSymbol({ SymbolKind: kinds }: MonacoApi['languages'], item: OutlineItemView) {
  const byKind: Record<string, (typeof kinds)[keyof typeof kinds]> = {
    environment: kinds.Module,
    mission: kinds.String,
    set: kinds.Constant,
    capacity: kinds.Constant,
    without: kinds.Null,
    rule: kinds.Operator,
    reward: kinds.Function,
    constraint: kinds.Boolean,
    event: kinds.Event,
    npc: kinds.Object,
    regime: kinds.Namespace,
    schedule: kinds.Array,
    metric: kinds.Variable,
    issue: kinds.Key,
    stage: kinds.Package,
  };
  return {
    name: item.name,
    detail: item.detail,
    kind: byKind[item.kind] ?? kinds.Variable,
    tags: [],
    range: toEditorRange(item.range),
    selectionRange: toEditorRange(item.selection),
  };
}
