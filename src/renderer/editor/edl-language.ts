import { edlMonarch } from '../../shared/generated/edl-monarch.ts';
import { edlLanguageId } from './edl-language-id.ts';
import type { MonacoApi } from './load-monaco.ts';

/** Highlighting, brackets and comments of EDL. Tokens are generated from the grammar; all else is asked of the engine. */
export function registerEdl(monaco: MonacoApi): void {
  monaco.languages.register({ id: edlLanguageId, extensions: ['.edl'] });
  monaco.languages.setMonarchTokensProvider(
    edlLanguageId,
    edlMonarch as Parameters<typeof monaco.languages.setMonarchTokensProvider>[1],
  );
  monaco.languages.setLanguageConfiguration(edlLanguageId, {
    comments: { lineComment: '//', blockComment: ['/*', '*/'] },
    brackets: [
      ['{', '}'],
      ['(', ')'],
    ],
    autoClosingPairs: [
      { open: '{', close: '}' },
      { open: '(', close: ')' },
      { open: '"', close: '"', notIn: ['string', 'comment'] },
    ],
    indentationRules: { increaseIndentPattern: /\{[^}]*$/, decreaseIndentPattern: /^\s*\}/ },
  });
}
