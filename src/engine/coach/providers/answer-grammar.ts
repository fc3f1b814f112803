import { proposalGrammar, renderGbnf } from '../../edl/index.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import { coachKinds } from '../validate/check-changes.ts';
import { proseLengths, textLimits } from './answer-limits.ts';

/**
 * The grammar (GBNF) a generating model is held to: one proposal as JSON that changes this environment. What can be
 * named is enumerated from its manifest and its text, and the EDL in it is held to the language.
 */
export function answerGrammar(environment: CompiledEnvironment, metricNames: readonly string[]): string {
  const { manifest, declarations, spec } = environment;
  const grammar = proposalGrammar({
    manifest,
    author: 'coach',
    kinds: coachKinds,
    npcGroups: Object.keys(spec.scripted).filter((group) => spec.scripted[group] === 'npc'),
    targets: declarations.map(({ target }) => target),
    metrics: metricNames,
    maxChanges: textLimits.changes,
    lengths: proseLengths,
  });
  return renderGbnf(grammar);
}
