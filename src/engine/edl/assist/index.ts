/** What an editor asks of an EDL text, complete or not: plain positions and ranges, no editor in it. */
export { AssistText, type Position } from './assist-text.ts';
export { complete } from './completion/complete.ts';
export { type CompletionItem, type CompletionKind, completionKinds } from './completion/item.ts';
export { type Hover, hover, type RunValues } from './hover.ts';
export { findDefinition, findReferences, type Location } from './navigate.ts';
export { type FoldingRange, foldingOf, type OutlineItem, outlineOf } from './outline.ts';
export { type QuickFix, quickFixes } from './quick-fixes.ts';
export { prepareRename, type RenameResult, rename, type TextEdit } from './rename.ts';
export { readScene, type Scene } from './scene.ts';
export { semanticTokens } from './semantic-tokens.ts';
export { type SignatureHelp, signatureAt } from './signature.ts';
