import { longestCompletion, proposalGrammar, renderGbnf } from '../../edl/index.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import { coachKinds, type GrantableKind } from '../config.ts';
import { tokenize } from '../enumerate/declaration-text.ts';
import { proseLengths, textLimits } from './answer-limits.ts';

/** Fewest characters a token of an answer stands for on average: names and numbers are cut small, prose is not. */
const charactersPerToken = 2;

/** What a generating model is held to. */
export interface AnswerGrammar {
  readonly gbnf: string;
  /** Tokens within which every answer of the grammar ends, however small its tokens are cut. */
  readonly maxTokens: number;
}

/**
 * The grammar a generating model is held to: one proposal as JSON that changes this environment. What can be named is
 * enumerated from its manifest and its text, and the EDL in it is held to the language.
 */
export function answerGrammar(
  environment: CompiledEnvironment,
  metricNames: readonly string[],
  may: readonly GrantableKind[] = coachKinds,
): AnswerGrammar {
  const grammar = answerRules(environment, metricNames, may);
  return {
    gbnf: renderGbnf(grammar),
    maxTokens: Math.ceil(longestCompletion(grammar) / charactersPerToken),
  };
}

/** The same as rules that can be walked. */
export function answerRules(
  environment: CompiledEnvironment,
  metricNames: readonly string[],
  may: readonly GrantableKind[] = coachKinds,
): ReturnType<typeof proposalGrammar> {
  const { manifest, declarations, spec, capacities, ir } = environment;
  return proposalGrammar({
    manifest,
    author: 'coach',
    kinds: may,
    npcGroups: Object.keys(spec.scripted).filter((group) => spec.scripted[group] === 'npc'),
    npcs: Object.fromEntries(ir.npcs.map(({ name, agents }) => [name, agents])),
    targets: declarations.map(({ target }) => target),
    needed: neededTargets(environment),
    capacities,
    metrics: metricNames,
    maxChanges: textLimits.changes,
    lengths: proseLengths,
  });
}

/** Declarations whose name stands in another one: taken away, they would leave it without what it names. */
function neededTargets({ declarations }: CompiledEnvironment): string[] {
  const words = declarations.map(({ text }) => new Set(tokenize(text).map((token) => token.text)));
  return declarations
    .filter(({ kind, name }, i) => kind !== 'set' && words.some((others, j) => j !== i && others.has(name)))
    .map(({ target }) => target);
}
