import type { EntityValue } from '../../elaborate/value.ts';
import type { ManifestIndex } from '../../manifest-index.ts';
import { spellChoice } from '../../spell.ts';
import { framesOf } from '../assist-text.ts';
import { evaluateText } from '../evaluate.ts';
import type { Expectation } from '../grammar-walk.ts';
import type { Scene } from '../scene.ts';
import { joinTokens, stepsOf, textOf } from '../scope.ts';
import type { Proposal } from './item.ts';
import * as names from './names.ts';
import { callAround, surroundings } from './place.ts';

type Namer = (at: NamePlace) => Proposal[];

interface NamePlace extends ReturnType<typeof surroundings> {
  readonly scene: Scene;
  readonly index: ManifestIndex;
  readonly expectation: Expectation;
}

/** What names a property of a rule may hold. A property that is missing here holds a name of the author's own. */
const namers: Readonly<Record<string, Namer>> = {
  'Setting.path': settingPaths,
  'Flag.word': flags,
  'Capacity.set': ({ index }) =>
    names
      .setProposals(index)
      .filter(({ label }) => index.capacities.size === 0 || index.capacities.has(label)),
  'SetExpression.name': sets,
  'SetExpression.argument': ({ place, index }) => [
    ...names.variableProposals(place.variables),
    ...names.entityProposals(index, 'agent'),
  ],
  'Target.name': ({ place, index }) => [
    ...names.variableProposals(place.variables),
    ...names.setProposals(index),
    ...names.entityProposals(index),
  ],
  'Target.path': members,
  'Reference.name': values,
  'Reference.path': members,
  'Call.path': members,
  'Quantifier.path': members,
  'Aggregate.name': () => [],
  'Quantifier.name': () => [],
  'Call.name': functions,
  'EventAction.event': ({ index, steps, expectation }) =>
    names.eventProposals(index, textOf(steps, expectation.frame, 'verb')),
  'Control.name': ({ index }) => [
    ...names.setProposals(index).filter(({ label }) => index.sets.get(label)?.kind === 'agent'),
    ...names.entityProposals(index, 'agent'),
  ],
  'Behaviour.name': ({ index }) => names.behaviourProposals(index),
  'Otherwise.name': ({ index }) => names.behaviourProposals(index),
  'Start.regime': ({ scene }) => names.declarationProposals(scene, 'regime'),
  'ScheduleEntry.regimes': ({ scene }) => names.declarationProposals(scene, 'regime'),
  'Without.path': ({ scene, steps, expectation }) =>
    names.declarationProposals(scene, textOf(steps, expectation.frame, 'kind'), true),
  'Fold.fold': () => words('mean', 'sum', 'min', 'max', 'last'),
  'Better.direction': () => words('higher', 'lower'),
};

/** Properties that hold names of declarations, of things outside the text, or of nothing yet. */
export function knowsNamesOf(property: string): boolean {
  return Object.hasOwn(namers, property);
}

export function namesFor(scene: Scene, expectation: Expectation, offset: number): Proposal[] {
  const { rule, feature } = expectation.role;
  if (rule === 'Environment') return feature === 'scenario' ? names.scenarioProposals(scene) : [];
  const namer = namers[`${rule}.${feature}`];
  if (namer === undefined || scene.index === null) return [];
  return namer({ ...surroundings(expectation, offset), scene, index: scene.index, expectation });
}

function words(...labels: string[]): Proposal[] {
  return labels.map((label) => ({ label, kind: 'keyword', detail: '', doc: '' }));
}

/** Dotted names are offered whole: what stands before the cursor of one is replaced. */
function settingPaths({ scene, index, steps, expectation }: NamePlace): Proposal[] {
  const [first] = stepsOf(steps, expectation.frame, 'path');
  const isRegime = [...framesOf(expectation.frame)].some(({ rule }) => rule.name === 'Regime');
  const isTop = expectation.frame.parent?.rule.name === 'Declaration';
  const proposals = names.parameterProposals(
    index,
    (name) => isTop && isSetElsewhere(scene, name, first?.token.start),
  );
  return proposals
    .filter(({ label }) => !isRegime || (index.parameters.get(label)?.live ?? null) !== null)
    .map((proposal) => ({ ...proposal, ...(first === undefined ? {} : { from: first.token.start }) }));
}

function isSetElsewhere(scene: Scene, name: string, here: number | undefined): boolean {
  return scene.declarations.some(
    ({ view, file }) =>
      file === null && view.keyword === 'set' && view.name === name && view.nameTokens[0]?.start !== here,
  );
}

function flags({ index, steps, expectation }: NamePlace): Proposal[] {
  const setting = [...framesOf(expectation.frame)].find(({ rule }) => rule.name === 'Setting');
  const name = setting === undefined ? '' : textOf(steps, setting, 'path').replaceAll(' ', '.');
  const parameter = index.parameters.get(name);
  if (parameter?.kind === 'choice') return words(...parameter.choices.map(spellChoice));
  return parameter?.kind === 'bool' ? words('true', 'false') : [];
}

function sets({ index }: NamePlace): Proposal[] {
  return [...names.setProposals(index), ...names.functionProposals((result) => result === 'set')];
}

/** What a value or an entity may begin with. */
function values(at: NamePlace): Proposal[] {
  const { scene, index, place } = at;
  const wanted = wantedAt(at);
  if (wanted === 'set') return sets(at);
  if (wanted === 'event') return names.declarationProposals(scene, 'event');
  const entities = [
    ...names.variableProposals(place.variables),
    ...names.soleSetProposals(index),
    ...names.entityProposals(index),
  ];
  if (wanted === 'entity') return entities;
  if (place.reads === 'metrics')
    return [...names.metricProposals(scene), ...names.variableProposals(place.variables)];
  return [
    ...bareNames(at, (self) => names.attributeProposals(index, self, false)),
    ...entities,
    ...names.signalProposals(index),
    ...names.parameterProposals(index, () => false).map((own) => ({ ...own, rank: 9 })),
  ];
}

function functions(at: NamePlace): Proposal[] {
  const wanted = wantedAt(at);
  if (wanted === 'event') return [];
  if (wanted !== 'any') return names.functionProposals((result) => result === wanted);
  if (at.place.reads === 'metrics')
    return names
      .functionProposals((result) => result === 'number')
      .filter(({ label }) => overNumbers.has(label));
  return [
    ...bareNames(at, (self) => names.relationProposals(at.index, self.kind)),
    ...names.functionProposals((result) => result !== 'set'),
  ];
}

/** Functions that read nothing but numbers. */
const overNumbers: ReadonlySet<string> = new Set(['min', 'max', 'clamp', 'abs', 'sqrt']);
const setTakers: ReadonlySet<string> = new Set(['nearest', 'farthest', 'centroid']);
const entityTakers: ReadonlySet<string> = new Set(['distance', 'inside', 'ally', 'other', 'opponent']);

/** What sort of value the place is for. */
function wantedAt({ steps, expectation }: NamePlace): 'set' | 'entity' | 'event' | 'any' {
  const call = callAround(steps, expectation.frame);
  if (call !== null && setTakers.has(call.name)) return 'set';
  if (call !== null && entityTakers.has(call.name)) return 'entity';
  if (call?.name === 'recent') return 'event';
  for (const { feature, parent } of framesOf(expectation.frame)) {
    if (feature === 'anchor') return 'entity';
    if ((feature === 'target' || feature === 'entity') && parent?.rule.name !== 'Gift') return 'entity';
    if (feature === 'condition' || feature === 'expression') break;
  }
  return 'any';
}

/** In the conditions of an npc, attributes and relations of the agent are written bare. */
function bareNames(
  { steps, place, scene }: NamePlace,
  namesOf: (self: EntityValue) => Proposal[],
): Proposal[] {
  if (steps[0]?.token.text !== 'npc') return [];
  const self = evaluateText(scene, place, 'self');
  return self?.type === 'entity' ? namesOf(self) : [];
}

/** What may follow a dot: attributes and relations of an entity, or the rest of a dotted name. */
function members(at: NamePlace): Proposal[] {
  const { scene, index, place, steps, expectation } = at;
  const own = steps.filter((step) => [...framesOf(step.frame)].includes(expectation.frame));
  const before = joinTokens(own).replace(/[\s.]+$/, '');
  const isTarget = expectation.role.rule === 'Target';
  const set = index.sets.get(before);
  const value = isTarget && set !== undefined ? null : evaluateText(scene, place, before);
  const dotted = isTarget ? [] : dottedNames(at, `${before.replaceAll(' ', '')}.`, own[0]?.token.start);
  if (isTarget && set !== undefined)
    return names.attributeProposals(index, { kind: set.kind, candidates: set.entities }, true);
  if (place.reads === 'metrics' && value?.type === 'entity') return names.agentMetricProposals(scene);
  if (value?.type !== 'entity') return dotted;
  return [
    ...names.attributeProposals(index, value, isTarget),
    ...(isTarget ? [] : names.relationProposals(index, value.kind)),
    ...dotted,
  ];
}

function dottedNames({ index }: NamePlace, prefix: string, start: number | undefined): Proposal[] {
  if (start === undefined) return [];
  return [...names.signalProposals(index), ...names.parameterProposals(index, () => false)]
    .filter(({ label }) => label.startsWith(prefix))
    .map((proposal) => ({ ...proposal, from: start }));
}
