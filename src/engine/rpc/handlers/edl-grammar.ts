import type { z } from 'zod';
import type { edl } from '../../../shared/contract/edl.ts';
import type { ScenarioManifest } from '../../../shared/rl/manifest.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { CounterRng } from '../../../shared/std/rng.ts';
import { coachKinds, measuredNames, proseLengths, textLimits } from '../../coach/index.ts';
import {
  type DeclarationKindName,
  declarationGrammar,
  declarationKindNames,
  declarationListGrammar,
  type Grammar,
  type GrammarRequest,
  longestCompletion,
  proposalGrammar,
  reachableRules,
  renderGbnf,
  walkGrammar,
} from '../../edl/index.ts';

type GrammarArguments = z.output<typeof edl.grammar.args>;
type GrammarAnswer = z.input<typeof edl.grammar.result>;

/** The grammar of a request over a manifest, with examples. Throws input.invalid. */
export function describeGrammar(request: GrammarArguments, manifest: ScenarioManifest): GrammarAnswer {
  const grammar = grammarFor(request, manifest);
  if (grammar.root.kind === 'never') {
    const kinds = request.kinds?.join(', ') ?? 'any kind';
    const message = `there is nothing to write for ${manifest.name}: its manifest offers nothing for ${kinds}`;
    throw new AppError('input.invalid', message);
  }
  const rng = new CounterRng(BigInt(request.seed), 0);
  const uniform = (): number => rng.nextUint32() / 2 ** 32;
  return {
    grammar: renderGbnf(grammar),
    rules: reachableRules(grammar).size + 1,
    maxLength: longestCompletion(grammar),
    examples: Array.from({ length: request.examples }, () => walkGrammar(grammar, uniform)),
  };
}

function grammarFor(request: GrammarArguments, manifest: ScenarioManifest): Grammar {
  const { shape, count, author, targets, names } = request;
  const kinds = request.kinds?.map(requireKind);
  const narrowed: GrammarRequest = { manifest, kinds, author, targets, names };
  switch (shape) {
    case 'declaration':
      return declarationGrammar(narrowed);
    case 'list':
      return declarationListGrammar(narrowed, count);
    case 'proposal':
      return proposalGrammar({
        ...narrowed,
        kinds: kinds ?? coachKinds,
        author: 'coach',
        metrics: measuredNames({ manifest, metrics: [] }),
        maxChanges: textLimits.changes,
        lengths: proseLengths,
      });
  }
}

function requireKind(name: string): DeclarationKindName {
  const kind = declarationKindNames.find((known) => known === name);
  if (kind !== undefined) return kind;
  const message = `"${name}" is no kind of declaration; there are ${declarationKindNames.join(', ')}`;
  throw new AppError('input.invalid', message, { data: { kind: name } });
}
