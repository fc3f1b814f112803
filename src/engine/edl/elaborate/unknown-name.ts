import type { AstNode } from 'langium';
import type { EntityKind, ManifestIndex } from '../manifest-index.ts';
import type { Place } from '../reporter.ts';
import type { Context } from './context.ts';
import type { Variable } from './value.ts';

/** Reports a name that nothing has: what it was probably meant as, else the nearest known ones. */
export function reportUnknownName(
  context: Context,
  place: Place,
  what: { readonly code: 'EDL202' | 'EDL205' | 'EDL208'; readonly words: string },
  name: string,
  known: readonly string[],
): void {
  const { reporter, index } = context;
  const meant =
    asConstant(name) ??
    asBareDistance(context, place.node, name) ??
    asMember(index, name) ??
    (what.code === 'EDL202' ? (asAttribute(context, name) ?? asMetric(context, name)) : null);
  if (meant === null) reporter.reportUnknown(what.code, place, what.words, name, known);
  else reporter.report(what.code, place, meant.message, meant.suggestions);
}

/** Reports a call of what is no function: a relation without its subject, or what is written without brackets. */
export function reportUnknownFunction(
  context: Context,
  place: Place,
  name: string,
  known: Iterable<string>,
): void {
  const { reporter, index } = context;
  const isPlain = index.signals.has(name) || index.parameters.has(name) || context.metrics.has(name);
  const meant = asRelation(context, name) ?? asAttribute(context, name);
  if (meant !== null) reporter.report('EDL206', place, meant.message, meant.suggestions);
  else if (isPlain) reporter.report('EDL206', place, `'${name}' is no function: write it without brackets`);
  else reporter.reportUnknown('EDL206', place, 'function', name, known);
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

/** Where attributes and relations are not the acting agent's own: the innermost variable that can have them. */
function subjectOf({ variables }: Context, hasIt: (kind: EntityKind) => boolean): Variable | undefined {
  const variable = variables.findLast(({ value }) => hasIt(value.kind));
  if (variable !== undefined) variable.isUsed = true;
  return variable;
}

function asAttribute(context: Context, name: string): Meant | null {
  const { attributes } = context.index;
  if (context.reads === 'metrics' || !(attributes.agent.has(name) || attributes.landmark.has(name)))
    return null;
  const subject = subjectOf(context, (kind) => attributes[kind].has(name))?.name;
  const message = `'${name}' is an attribute: say whose, as in '${subject ?? 'a'}.${name}'`;
  return { message, suggestions: [] };
}

function asRelation(context: Context, name: string): Meant | null {
  const relation = context.index.relations.get(name);
  if (context.reads === 'metrics' || relation === undefined) return null;
  const subject = subjectOf(context, (kind) => kind === relation.from)?.name;
  const message = `'${name}' is a relation: say of whom, as in '${subject ?? 'a'}.${name}(…)'`;
  return { message, suggestions: subject === undefined ? [] : [`${subject}.${name}`] };
}

function asMetric({ metrics }: Context, name: string): Meant | null {
  if (!metrics.has(name)) return null;
  const message = `'${name}' is a metric of an episode: only issues and stages read metrics, all else sees the state of a step`;
  return { message, suggestions: [] };
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
