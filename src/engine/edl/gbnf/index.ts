export { declarationGrammar, declarationListGrammar } from './declaration-grammar.ts';
export { proposalGrammar } from './proposal-grammar.ts';
export { reachableRules, renderGbnf } from './render-gbnf.ts';
export type { GrammarRequest } from './request.ts';
export type { Grammar } from './rule.ts';
export { longestCompletion, walkGrammar } from './walk.ts';
