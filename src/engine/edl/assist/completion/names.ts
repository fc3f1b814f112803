import type { EntityValue } from '../../elaborate/value.ts';
import { type FunctionInfo, functionTable } from '../../function-names.ts';
import { appliesTo, type EntityKind, type ManifestIndex } from '../../manifest-index.ts';
import {
  attributeMeaning,
  behaviourMeaning,
  eventMeaning,
  type Meaning,
  metricMeaning,
  parameterMeaning,
  relationMeaning,
  setMeaning,
  signalMeaning,
} from '../glossary.ts';
import { knownMetrics } from '../metrics.ts';
import type { Scene } from '../scene.ts';
import type { ScopedVariable } from '../scope.ts';
import type { CompletionKind, Proposal } from './item.ts';

function proposal(label: string, kind: CompletionKind, meaning: Omit<Meaning, 'what'>): Proposal {
  return { label, kind, detail: meaning.detail, doc: meaning.doc };
}

export function scenarioProposals(scene: Scene): Proposal[] {
  return (scene.host.scenarioNames?.() ?? []).map((name) => {
    const manifest = scene.host.manifest(name, {});
    return proposal(name, 'scenario', { detail: manifest?.title ?? '', doc: manifest?.doc ?? '' });
  });
}

/** Parameters by their full dotted names; those the text sets already are left out. */
export function parameterProposals(index: ManifestIndex, isTaken: (name: string) => boolean): Proposal[] {
  return [...index.parameters.values()]
    .filter(({ name }) => !isTaken(name))
    .map((parameter) => proposal(parameter.name, 'parameter', parameterMeaning(parameter)));
}

export function setProposals(index: ManifestIndex): Proposal[] {
  return [...index.sets.values()].map((set) => proposal(set.name, 'set', setMeaning(set, index)));
}

export function entityProposals(index: ManifestIndex, kind?: EntityKind): Proposal[] {
  return [...index.entities.values()]
    .filter((entity) => kind === undefined || entity.kind === kind)
    .map(({ name, kind: own }) => proposal(name, 'entity', { detail: own, doc: '' }));
}

/** Sets that always have one member, and so may stand for it. */
export function soleSetProposals(index: ManifestIndex): Proposal[] {
  return [...index.sets.values()]
    .filter((set) => set.dynamic || set.entities.length === 1)
    .map((set) => proposal(set.name, 'set', setMeaning(set, index)));
}

export function variableProposals(variables: readonly ScopedVariable[]): Proposal[] {
  return variables.map(({ name, set }) =>
    proposal(name, 'variable', { detail: `a member of ${set.replaceAll(' ', '')}`, doc: '' }),
  );
}

export function signalProposals(index: ManifestIndex): Proposal[] {
  return [...index.signals.values()].map((signal) => proposal(signal.name, 'signal', signalMeaning(signal)));
}

/** Metrics of the scenario and those that the text declares. */
export function metricProposals(scene: Scene): Proposal[] {
  return knownMetrics(scene).map((metric) => proposal(metric.name, 'metric', metricMeaning(metric)));
}

/** Metrics that each agent has of its own. */
export function agentMetricProposals(scene: Scene): Proposal[] {
  return knownMetrics(scene)
    .filter((metric) => metric.perAgent)
    .map((metric) => proposal(metric.name, 'metric', metricMeaning(metric)));
}

/** Attributes that a kind of entity has, or that an entity of these candidates may have. */
export function attributeProposals(
  index: ManifestIndex,
  entity: Pick<EntityValue, 'kind' | 'candidates'>,
  isWritten: boolean,
): Proposal[] {
  return [...index.attributes[entity.kind].values()]
    .filter((attribute) => !isWritten || attribute.writable)
    .filter((attribute) => entity.candidates.some((candidate) => appliesTo(index, attribute, candidate)))
    .map((attribute) => proposal(attribute.name, 'attribute', attributeMeaning(attribute)));
}

export function relationProposals(index: ManifestIndex, kind: EntityKind): Proposal[] {
  return [...index.relations.values()]
    .filter((relation) => relation.from === kind)
    .map((relation) => ({
      ...proposal(relation.name, 'relation', relationMeaning(relation)),
      insertText: `${relation.name}(\${1})`,
      isSnippet: true,
    }));
}

export function eventProposals(index: ManifestIndex, verb: string): Proposal[] {
  return index.manifest.events
    .filter((event) => event.verb === verb)
    .map((event) => proposal(event.name, 'event', eventMeaning(event)));
}

export function behaviourProposals(index: ManifestIndex): Proposal[] {
  return [...index.behaviours.values()].map((behaviour) =>
    proposal(behaviour.name, 'behaviour', behaviourMeaning(behaviour)),
  );
}

/** Names of declarations of a kind, in this text and the files it extends. */
export function declarationProposals(scene: Scene, keyword: string, isInheritedOnly = false): Proposal[] {
  return scene.declarations
    .filter(
      ({ view, file }) => view.keyword === keyword && view.name !== '' && (!isInheritedOnly || file !== null),
    )
    .map(({ view, file }) =>
      proposal(view.name, 'declaration', {
        detail: file === null ? keyword : `${keyword} of ${file}`,
        doc: view.doc,
      }),
    );
}

export type FunctionResult = 'entity' | 'set' | 'number' | 'condition';

const results: Readonly<Record<string, FunctionResult>> = {
  nearest: 'entity',
  farthest: 'entity',
  centroid: 'entity',
  ally: 'set',
  other: 'set',
  opponent: 'set',
};

/** Functions that give a sort of value; sets are written only where a set is wanted. */
export function functionProposals(wanted: (result: FunctionResult) => boolean): Proposal[] {
  return Object.entries<FunctionInfo>(functionTable)
    .filter(([name]) => wanted(results[name] ?? 'number'))
    .flatMap(([name, { signature, choice, doc }]) => [
      callProposal(name, { name, signature, doc }),
      ...(choice === undefined ? [] : [callProposal(`${name} where`, { name, signature: choice, doc })]),
    ]);
}

function callProposal(
  label: string,
  { name, signature, doc }: { readonly name: string; readonly signature: string; readonly doc: string },
): Proposal {
  return {
    ...proposal(label, 'function', { detail: signature, doc }),
    insertText: callSnippet(name, signature),
    isSnippet: true,
  };
}

/** `distance(a, b)` becomes `distance(${1:a}, ${2:b})`; `…` is a place to fill in. */
function callSnippet(name: string, signature: string): string {
  let count = 0;
  const words = signature
    .slice(name.length)
    .replace(/…|\b(?!in\b|of\b|over\b|where\b|steps\b)[a-zA-Z]+\b/g, (word) => {
      count++;
      return `\${${count}:${word === '…' ? '…' : word}}`;
    });
  return `${name}${words}`;
}
