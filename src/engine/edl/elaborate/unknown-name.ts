import type { AstNode } from 'langium';
import type { ManifestIndex } from '../manifest-index.ts';
import type { Place } from '../reporter.ts';
import type { Context } from './context.ts';

/** Reports a name that nothing has: what it was probably meant as, else the nearest known ones. */
export function reportUnknownName(
  context: Context,
  place: Place,
  what: { readonly code: 'EDL202' | 'EDL205' | 'EDL208'; readonly words: string },
  name: string,
  known: readonly string[],
): void {
  const { reporter, index } = context;
  const meant = asConstant(name) ?? asBareDistance(context, place.node, name) ?? asMember(index, name);
  if (meant === null) reporter.reportUnknown(what.code, place, what.words, name, known);
  else reporter.report(what.code, place, meant.message, meant.suggestions);
}

interface Meant {
  readonly message: string;
  readonly suggestions: readonly string[];
}

function asConstant(name: string): Meant | null {
  if (name !== 'true' && name !== 'false') return null;
  const instead = name === 'true' ? "what always holds needs no 'when'" : 'what never holds is left out';
  return { message: `conditions have no constants like '${name}': ${instead}`, suggestions: [] };
}

/** In an npc, a distance to the target of a behaviour that names none. */
function asBareDistance({ self, index }: Context, node: AstNode, name: string): Meant | null {
  if (self === null || name !== 'distance') return null;
  let outer: AstNode | undefined = node;
  while (outer !== undefined && outer.$type !== 'Behaviour') outer = outer.$container;
  const behaviour = index.behaviours.get(outer !== undefined && 'name' in outer ? String(outer.name) : '');
  const start = "a bare 'distance' is that to the target of the behaviour";
  if (behaviour === undefined || behaviour.target === 'none')
    return { message: `${start}, and there is none: write distance(self, …)`, suggestions: [] };
  const kind = behaviour.target === 'landmark' ? 'landmark' : 'agent';
  const sets = [...index.sets.values()].filter((candidate) => candidate.kind === kind);
  const words = new Set(behaviour.doc.toLowerCase().match(/[a-z_]+/g));
  const set = (sets.find((candidate) => words.has(candidate.name)) ?? sets[0])?.name ?? kind;
  const example = `${behaviour.name} nearest(${set}) when distance …`;
  return { message: `${start}: name one, as in '${example}'`, suggestions: [] };
}

/** One of several, by a number that is too high. */
function asMember(index: ManifestIndex, name: string): Meant | null {
  const stem = /^(.+)_\d+$/.exec(name)?.[1];
  if (stem === undefined) return null;
  const isMember = (entity: string): boolean =>
    entity.startsWith(stem) && /^_\d+$/.test(entity.slice(stem.length));
  const members = [...index.entities.keys()].filter(isMember);
  const [first, last] = [members[0], members.at(-1)];
  if (first === undefined || last === undefined) return null;
  const range = first === last ? `only ${first}` : `${first} to ${last}`;
  const count = countOf(index, stem);
  const hint = count === undefined ? '' : `; ${count} says how many`;
  return {
    message: `no '${name}': there ${first === last ? 'is' : 'are'} ${range}${hint}`,
    suggestions: [last],
  };
}

function countOf(index: ManifestIndex, set: string): string | undefined {
  const live = index.capacities.get(set)?.count;
  return (
    live ?? [`${set}.count`, `${set.replaceAll('_', '.')}.count`].find((name) => index.parameters.has(name))
  );
}
