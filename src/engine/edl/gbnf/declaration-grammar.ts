import { GrammarBuilder } from './grammar-builder.ts';
import { kindRules } from './kinds.ts';
import { usualRegime } from './outline-kinds.ts';
import { identifierRule } from './prose.ts';
import type { GrammarRequest, KindRule } from './request.ts';
import { choice, type Grammar, type GrammarRule, sequence } from './rule.ts';

/** Most declarations of one list. */
const maxListed = 12;

/** A grammar whose completions are one declaration, as `applyChanges` takes it. */
export function declarationGrammar(request: GrammarRequest): Grammar {
  const builder = new GrammarBuilder();
  const kinds = kindRules(builder, request);
  const name = nameRule(builder, request);
  return builder.build(choice(...kinds.map((kind) => declarationRule(builder, kind, name))));
}

/**
 * A grammar whose completions are `count` declarations, a blank line between them, that can stand together in one
 * environment: no name and no parameter comes twice.
 */
export function declarationListGrammar(request: GrammarRequest, count: number): Grammar {
  if (!Number.isInteger(count) || count < 1 || count > maxListed) {
    throw new RangeError(`a list has 1 to ${maxListed} declarations, not ${count}`);
  }
  const builder = new GrammarBuilder();
  const kinds = kindRules(builder, request);
  const places = Array.from({ length: count }, (_, place) => {
    const name = identifierRule(builder, String(place + 1));
    const open = kinds.map((kind) => declarationRule(builder, shareOf(kind, place, count), name));
    return builder.define(`declaration ${place + 1}`, () => choice(...open));
  });
  return builder.build(sequence(...places.flatMap((place, i) => (i === 0 ? [place] : ['\n\n', place]))));
}

/** One declaration of a kind, under any of the names that it may have. */
function declarationRule(
  builder: GrammarBuilder,
  { kind, named, bodies, hasName }: KindRule,
  name: GrammarRule,
): GrammarRule {
  if (named !== null) {
    return choice(...[...named].map(([target, { rule }]) => sequence(`${kind} ${target}`, rule)));
  }
  const body = builder.define(`${kind} body ${bodies.length}`, () =>
    choice(...bodies.map(({ rule }) => rule)),
  );
  return hasName ? sequence(`${kind} `, name, body) : sequence(kind, body);
}

function nameRule(builder: GrammarBuilder, { names }: GrammarRequest): GrammarRule {
  return names === undefined ? identifierRule(builder) : choice(...names);
}

/**
 * What one place of a list may say: things of the manifest are dealt out, and what an environment has once (a schedule,
 * an npc, a regime that is the default) comes first only.
 */
function shareOf(kind: KindRule, place: number, count: number): KindRule {
  if (kind.named !== null) {
    const dealt = [...kind.named].filter((_, i) => i % count === place);
    return { ...kind, named: new Map(dealt) };
  }
  if (place === 0) return kind;
  const bodies = !kind.isSingle ? kind.bodies.filter(({ primitive }) => primitive !== usualRegime) : [];
  return { ...kind, bodies };
}
