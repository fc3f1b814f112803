import type { CompletionItemView } from '../../../shared/contract/edl-documents.ts';
import { edlLanguageId } from '../edl-language-id.ts';
import type { MonacoApi } from '../load-monaco.ts';
import { toEditorRange, toPosition } from './convert.ts';
import { askAbout } from './editor-language.ts';

type ItemKind =
  MonacoApi['languages']['CompletionItemKind'][keyof MonacoApi['languages']['CompletionItemKind']];

/** The list of what may be written, and the arguments of the function around the cursor. */
export function registerCompletion({ languages }: MonacoApi): void {
  languages.registerCompletionItemProvider(edlLanguageId, {
    triggerCharacters: ['.', '(', ' ', '='],
    async provideCompletionItems(model, position, context) {
      const items = await askAbout(model, 'complete', { position: toPosition(position) });
      const isTyped = context.triggerKind === languages.CompletionTriggerKind.TriggerCharacter;
      const shown =
        isTyped && context.triggerCharacter === ' ' ? (items ?? []).filter(isWorthASpace) : (items ?? []);
      return { suggestions: shown.map((item, i) => suggestionOf(languages, item, i)) };
    },
  });
  languages.registerSignatureHelpProvider(edlLanguageId, {
    signatureHelpTriggerCharacters: ['(', ','],
    async provideSignatureHelp(model, position) {
      const help = await askAbout(model, 'signature', { position: toPosition(position) });
      if (help === null) return null;
      const { signature, doc, parameters, activeParameter } = help;
      const value = {
        signatures: [
          { label: signature, documentation: doc, parameters: parameters.map((label) => ({ label })) },
        ],
        activeSignature: 0,
        activeParameter,
      };
      return { value, dispose: () => undefined };
    },
  });
}

/** After a space the list opens by itself only where a choice is short: units, sets, values. */
function isWorthASpace({ kind }: CompletionItemView): boolean {
  return /^(unit|set|value|parameter|event|behaviour|scenario)$/.test(kind);
}

function suggestionOf(languages: MonacoApi['languages'], item: CompletionItemView, order: number) {
  return {
    label: { label: item.label, description: item.detail },
    kind: kindOf(languages.CompletionItemKind, item.kind),
    documentation: item.doc,
    insertText: item.insertText,
    filterText: item.label,
    sortText: String(order).padStart(4, '0'),
    range: toEditorRange(item.range),
    ...(item.isSnippet ? { insertTextRules: languages.CompletionItemInsertTextRule.InsertAsSnippet } : {}),
  };
}

function kindOf(kinds: MonacoApi['languages']['CompletionItemKind'], kind: string): ItemKind {
  switch (kind) {
    case 'keyword':
      return kinds.Keyword;
    case 'snippet':
      return kinds.Snippet;
    case 'scenario':
      return kinds.Module;
    case 'parameter':
      return kinds.Constant;
    case 'set':
      return kinds.Class;
    case 'entity':
      return kinds.Value;
    case 'variable':
      return kinds.Variable;
    case 'attribute':
      return kinds.Field;
    case 'signal':
    case 'metric':
      return kinds.Property;
    case 'function':
    case 'relation':
      return kinds.Function;
    case 'unit':
      return kinds.Unit;
    case 'event':
      return kinds.Event;
    case 'behaviour':
      return kinds.Method;
    case 'declaration':
      return kinds.Reference;
    default:
      return kinds.Text;
  }
}
