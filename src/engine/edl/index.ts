export {
  describeCapabilities,
  type EdlCapabilities,
  type SettableParameter,
  type WritableAttribute,
} from './capabilities.ts';
export { type CheckedText, checkParsed, checkText } from './check-text.ts';
export { compile, compileParsed, type Diagnosis } from './compile.ts';
export { type CodeEntry, type DiagnosticCode, diagnosticCodes } from './diagnostic-codes.ts';
export { applyChanges } from './edit/apply-changes.ts';
export { listDeclarations } from './edit/list-declarations.ts';
export { explain } from './explain/explain.ts';
export { flatten } from './extends/flatten.ts';
export { isEdlFile } from './extends/resolve.ts';
export { format } from './format/format.ts';
export {
  declarationGrammar,
  declarationListGrammar,
  type Grammar,
  type GrammarRequest,
  longestCompletion,
  proposalGrammar,
  reachableRules,
  renderGbnf,
  walkGrammar,
} from './gbnf/index.ts';
export { checkDocument } from './incremental/check-document.ts';
export { IncrementalParser } from './incremental/incremental-parser.ts';
export type { EnvironmentIr } from './ir.ts';
export { advanceIssue, advanceStreak, type IssueState, issueAfter, quietIssue } from './issue-state.ts';
export { limits } from './lower/limits.ts';
export { formatNumber } from './number-text.ts';
export { maxTextLength } from './parse.ts';
export { irJsonSchema } from './schema/ir-schema.ts';
export { spellParameter, spellQuantity } from './spell.ts';
export type * from './types.ts';
export { declarationKindNames } from './types.ts';
