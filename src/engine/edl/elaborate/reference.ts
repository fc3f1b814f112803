import type { ManifestAttribute, ManifestMetric, ManifestSet } from '../../../shared/rl/manifest.ts';
import { measureOf } from '../dimension.ts';
import type { Reference, Target } from '../generated/ast.ts';
import type { EntityIr, ExpressionIr, TargetIr } from '../ir.ts';
import { alwaysIr, numberIr } from '../ir-make.ts';
import { appliesTo, type EntityKind } from '../manifest-index.ts';
import type { Place } from '../reporter.ts';
import type { Context } from './context.ts';
import { reportUnknownName } from './unknown-name.ts';
import type { EntityValue, NumberValue, Value } from './value.ts';

/** The value of a name or a dotted name. */
export function elaborateReference(context: Context, node: Reference): Value | null {
  if (context.reads === 'metrics') return elaborateMetric(context, node);
  const entity = findEntity(context, node.name);
  if (entity !== null) return node.path.length === 0 ? entity : attributeOf(context, entity, node.path, node);
  const dotted = [node.name, ...node.path].join('.');
  return (
    findOwn(context, dotted, node) ??
    findSignal(context, dotted) ??
    findParameter(context, dotted) ??
    reportReference(context, node, dotted)
  );
}

/** In an npc: an attribute of the agent itself, or the distance to what the behaviour is directed at. */
function findOwn(context: Context, dotted: string, node: Reference): NumberValue | null {
  const { self, aim, index } = context;
  if (self === null) return null;
  if (dotted === 'distance' && aim !== null) {
    const measure = measureOf('m', index.manifest.stepSeconds);
    return { type: 'number', ir: { op: 'distance', from: self.ir, to: aim.ir }, measure, isBare: false };
  }
  const isOwn = index.attributes[self.kind].has(dotted);
  return isOwn ? attributeOf(context, self, [node.name, ...node.path], node) : null;
}

/** An attribute read of an entity, or null with a diagnostic. */
export function attributeOf(
  context: Context,
  entity: EntityValue,
  path: readonly string[],
  node: Place['node'],
): NumberValue | null {
  const name = path.join('.');
  const attribute = context.index.attributes[entity.kind].get(name);
  if (attribute === undefined) {
    reportAttribute(context, entity.kind, name, { node, property: 'path' });
    return null;
  }
  if (!isApplicable(context, attribute, entity.candidates, { node, property: 'path' })) return null;
  const ir: ExpressionIr = { op: 'attribute', kind: entity.kind, name, of: entity.ir };
  const measure = measureOf(attribute.unit, context.index.manifest.stepSeconds);
  return { type: 'number', ir, measure, isBare: false };
}

/** Whether every entity that may be meant has the attribute; a diagnostic where not. */
export function isApplicable(
  { index, reporter }: Context,
  attribute: ManifestAttribute,
  candidates: readonly number[],
  place: Place,
): boolean {
  const without = candidates.find((candidate) => !appliesTo(index, attribute, candidate));
  if (without === undefined) return true;
  const who = index.entitiesByIndex.get(without)?.name ?? 'this one';
  const sets = attribute.of.join(', ');
  reporter.report('EDL220', place, `only members of ${sets} have '${attribute.name}': ${who} has none`);
  return false;
}

export function reportAttribute(context: Context, kind: EntityKind, name: string, place: Place): void {
  const known = context.index.attributes[kind].keys();
  context.reporter.reportUnknown(
    'EDL204',
    place,
    `attribute of ${kind === 'agent' ? 'an agent' : 'a landmark'}`,
    name,
    known,
  );
}

/** A loop variable, a named entity, or a set that always denotes one entity. */
export function findEntity(context: Context, name: string): EntityValue | null {
  const variable = context.variables.findLast((candidate) => candidate.name === name);
  if (variable !== undefined) {
    variable.isUsed = true;
    return variable.value;
  }
  const entity = context.index.entities.get(name);
  if (entity !== undefined) {
    const ir = { op: 'entity', name } as const;
    return { type: 'entity', ir, kind: entity.kind, candidates: [entity.index], isFixed: true };
  }
  const set = context.index.sets.get(name);
  return set === undefined ? null : entityOfSet(context, set);
}

function entityOfSet(context: Context, set: ManifestSet): EntityValue | null {
  if (set.dynamic) {
    const ir = { op: 'member', set: set.name } as const;
    return { type: 'entity', ir, kind: set.kind, candidates: set.entities, isFixed: false };
  }
  const [only] = set.entities;
  const entity = only === undefined ? undefined : context.index.entitiesByIndex.get(only);
  if (set.entities.length !== 1 || entity === undefined) return null;
  const ir = { op: 'entity', name: entity.name } as const;
  return { type: 'entity', ir, kind: set.kind, candidates: set.entities, isFixed: true };
}

function findSignal(context: Context, dotted: string): NumberValue | null {
  const signal = context.index.signals.get(dotted);
  if (signal === undefined) return null;
  const measure = measureOf(signal.unit, context.index.manifest.stepSeconds);
  return { type: 'number', ir: { op: 'signal', name: dotted }, measure, isBare: false };
}

/** A parameter of the scenario reads as the constant it is in this environment. */
function findParameter(context: Context, dotted: string): NumberValue | null {
  const parameter = context.index.parameters.get(dotted);
  if (parameter === undefined) return null;
  const value = context.parameters.get(dotted) ?? parameter.default;
  const measure = measureOf(parameter.unit, context.index.manifest.stepSeconds);
  return { type: 'number', ir: numberIr(value), measure, isBare: false };
}

/** A metric by name; `a.kills` is that of one agent, `red.kills` the mean over a set of them. */
function elaborateMetric(context: Context, node: Reference): Value | null {
  const dotted = [node.name, ...node.path].join('.');
  const metric = context.metrics.get(dotted);
  if (metric !== undefined) return metricValue(context, metric, null);
  const parameter = findParameter(context, dotted);
  if (parameter !== null) return parameter;
  const subject = findEntity(context, node.name);
  const set = context.index.sets.get(node.name);
  const isSubject = subject?.kind === 'agent' && subject.isFixed;
  if (isSubject && node.path.length === 0) return subject;
  if (node.path.length > 0 && (isSubject || (set?.kind === 'agent' && !set.dynamic))) {
    return elaborateSubjectMetric(context, node, isSubject ? subject.ir : null);
  }
  return reportMetric(context, node, dotted);
}

function reportMetric(context: Context, node: Reference, dotted: string): null {
  const place = { node, property: 'name' };
  const variables = context.variables.map((variable) => variable.name);
  if (node.path.length === 0) {
    const known = [...context.metrics.keys(), ...variables];
    reportUnknownName(context, place, { code: 'EDL208', words: 'metric' }, dotted, known);
    return null;
  }
  const { sets, entities } = context.index;
  const isAgent = ({ kind }: { readonly kind: EntityKind }): boolean => kind === 'agent';
  const agents = [...sets.values(), ...entities.values()].filter(isAgent).map((one) => one.name);
  context.reporter.reportUnknown('EDL202', place, 'agent or set of agents', node.name, [
    ...variables,
    ...agents,
  ]);
  return null;
}

/** `of` is null for the whole set that the reference begins with. */
function elaborateSubjectMetric(context: Context, node: Reference, of: EntityIr | null): Value | null {
  const name = node.path.join('.');
  const place = { node, property: 'path' };
  const metric = context.metrics.get(name);
  const ofAgents = [...context.metrics.values()].filter((candidate) => candidate.perAgent);
  if (metric === undefined) {
    const parameters = [...context.index.parameters.keys()]
      .filter((parameter) => parameter.startsWith(`${node.name}.`))
      .map((parameter) => parameter.slice(node.name.length + 1));
    const known = [...ofAgents.map((candidate) => candidate.name), ...parameters];
    context.reporter.reportUnknown('EDL208', place, 'metric of an agent', name, known);
    return null;
  }
  if (!metric.perAgent) {
    const message = `'${name}' is not measured per agent: write '${name}' alone (where teams have it apart, that of the objective's group)`;
    context.reporter.report('EDL310', { node }, message, [name]);
    return null;
  }
  if (of !== null) return metricValue(context, metric, of);
  const variable = { op: 'variable', index: context.variables.length } as const;
  const member = metricValue(context, metric, variable);
  const set = { op: 'set', name: node.name } as const;
  return { ...member, ir: { op: 'aggregate', kind: 'mean', set, where: alwaysIr, body: member.ir } };
}

function metricValue(context: Context, metric: ManifestMetric, of: EntityIr | null): NumberValue {
  const measure = measureOf(metric.unit, context.index.manifest.stepSeconds);
  return { type: 'number', ir: { op: 'metric', name: metric.name, of }, measure, isBare: false };
}

function reportReference(context: Context, node: Reference, dotted: string): null {
  const set = context.index.sets.get(node.name);
  if (set !== undefined) {
    const message =
      `'${node.name}' is a set of ${set.entities.length}; name a member, loop with 'for', ` +
      `or use nearest(${node.name}), count, mean over …`;
    context.reporter.report('EDL301', { node }, message);
    return null;
  }
  const known = [
    ...context.variables.map((variable) => variable.name),
    ...context.index.signals.keys(),
    ...context.index.sets.keys(),
    ...context.index.entities.keys(),
    ...context.index.parameters.keys(),
  ];
  const name = context.index.sets.size > 0 && node.path.length > 0 ? node.name : dotted;
  const place = { node, property: 'name' };
  reportUnknownName(context, place, { code: 'EDL202', words: 'name' }, name, known);
  return null;
}

export interface TargetValue {
  readonly ir: TargetIr;
  readonly kind: EntityKind;
  readonly candidates: readonly number[];
}

/** What an effect or gift goes to: an entity, or a whole set. Null with a diagnostic. */
export function elaborateTarget(context: Context, node: Target | Reference): TargetValue | null {
  const set = context.index.sets.get(node.name);
  const isVariable = context.variables.some((variable) => variable.name === node.name);
  if (!isVariable && set !== undefined && !set.dynamic) {
    return { ir: { op: 'each', set: set.name }, kind: set.kind, candidates: set.entities };
  }
  const entity = findEntity(context, node.name);
  if (entity !== null) return entity;
  const known = [
    ...context.variables.map((variable) => variable.name),
    ...context.index.sets.keys(),
    ...context.index.entities.keys(),
  ];
  const place = { node, property: 'name' };
  reportUnknownName(context, place, { code: 'EDL202', words: 'name' }, node.name, known);
  return null;
}
