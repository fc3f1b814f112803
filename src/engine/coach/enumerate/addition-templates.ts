import type { ProposedChange } from '../../../shared/contract/coach.ts';
import type { ManifestRelation, ManifestSet, ScenarioManifest } from '../../../shared/rl/manifest.ts';
import { formatNumber } from './declaration-text.ts';
import type { WorldScale } from './world-scale.ts';

/** A declaration that can be added, with the values it may take. */
export interface AdditionTemplate {
  readonly name: string;
  readonly doc: string;
  /** Manifest primitives and functions it is made of; the first is the hint. */
  readonly primitives: readonly string[];
  readonly values: readonly number[];
  /** The declaration for one value. */
  write(name: string, value: number): string;
  readonly size: (value: number) => ProposedChange['expected_impact']['size'];
}

const weights = [0.05, 0.1, 0.2, 0.5] as const;
const factors = [0.5, 0.8, 1.25, 2] as const;

const sizeOfWeight = (value: number): 'small' | 'medium' | 'large' =>
  value <= 0.05 ? 'small' : value <= 0.2 ? 'medium' : 'large';
const sizeOfFactor = (value: number): 'small' | 'medium' | 'large' =>
  Math.abs(Math.log(value)) < 0.3 ? 'small' : 'medium';

interface Shape {
  readonly name: string;
  readonly doc: string;
  readonly primitives: readonly string[];
  /** Clauses after `for a in GROUP`, with WEIGHT for the weight. */
  readonly clauses: readonly string[];
}

/** A declaration as the language's formatter lays it out. */
export function block(head: string, clauses: readonly string[]): string {
  return [`${head} {`, ...clauses.map((clause) => `  ${clause}`), '}'].join('\n');
}

const metres = (value: number): string => `${formatNumber(value)} m`;

/** Being at a place. On a grid and among larger bodies that is not quite where it is. */
const reachOf = ({ length }: WorldScale): string => metres(length === 1 ? 0.15 : 0.3 * length);
const nearOf = ({ length }: WorldScale): string => metres(0.3 * length);

/** A clause that waits for somebody to be there: the nearest of nobody is infinitely far away. Empty where all always are. */
interface Guards {
  readonly agent: (set: string) => readonly string[];
  readonly landmark: (set: string) => readonly string[];
}

function guardsOf({ presence }: ScenarioManifest): Guards {
  const guard = (set: string): readonly string[] => [`when any(b in ${set})`];
  const none = (): readonly string[] => [];
  return {
    agent: presence.agent === null ? none : guard,
    landmark: presence.landmark === null ? none : guard,
  };
}

/** What can be said about agents and one set of landmarks. */
function landmarkShapes(group: string, set: ManifestSet, scale: WorldScale, guards: Guards): Shape[] {
  const landmark = set.name;
  const [reach, unit] = [reachOf(scale), metres(scale.length)];
  return [
    {
      name: `approach_${landmark}`,
      doc: `Come closer to the nearest ${landmark}`,
      primitives: ['distance', 'nearest', landmark],
      clauses: [
        ...guards.landmark(landmark),
        `give -WEIGHT * distance(a, nearest(${landmark})) / ${unit} to a`,
      ],
    },
    {
      name: `reach_${landmark}`,
      doc: `Be at a ${landmark}`,
      primitives: ['distance', 'nearest', landmark],
      clauses: [`when distance(a, nearest(${landmark})) < ${reach}`, 'give WEIGHT to a'],
    },
    {
      name: `cover_${landmark}`,
      doc: `As many of ${landmark} as possible have somebody near`,
      primitives: ['count', 'distance', landmark],
      clauses: [`give WEIGHT * count(l in ${landmark} where distance(l, nearest(${group})) < ${reach}) to a`],
    },
  ];
}

function allyShapes(group: string, scale: WorldScale, guards: Guards): Shape[] {
  return [
    {
      name: 'keep_apart',
      doc: 'Do not crowd together',
      primitives: ['distance', 'nearest', group],
      clauses: [`when distance(a, nearest(${group})) < ${nearOf(scale)}`, 'give -WEIGHT to a'],
    },
    {
      name: 'stay_together',
      doc: 'Stay near the others',
      primitives: ['distance', 'nearest', group],
      clauses: [
        ...guards.agent('ally(a)'),
        `give -WEIGHT * distance(a, nearest(${group})) / ${metres(scale.length)} to a`,
      ],
    },
  ];
}

function opponentShapes(opponent: string, scale: WorldScale, guards: Guards): Shape[] {
  return [
    {
      name: `avoid_${opponent}`,
      doc: `Keep away from the nearest ${opponent}`,
      primitives: ['distance', 'nearest', opponent],
      clauses: [`when distance(a, nearest(${opponent})) < ${nearOf(scale)}`, 'give -WEIGHT to a'],
    },
    {
      name: `chase_${opponent}`,
      doc: `Come closer to the nearest ${opponent}`,
      primitives: ['distance', 'nearest', opponent],
      clauses: [
        ...guards.agent(opponent),
        `give -WEIGHT * distance(a, nearest(${opponent})) / ${metres(scale.length)} to a`,
      ],
    },
  ];
}

/** Agents of a group. */
export function sizeOf(manifest: ScenarioManifest, group: string): number {
  return manifest.groups.find(({ name }) => name === group)?.agents.length ?? 0;
}

/** Sets that have members. Those of the same landmarks under several names count once: as the first of them. */
function distinctLandmarks({ sets }: ScenarioManifest): ManifestSet[] {
  const landmarks = sets.filter(({ kind, entities }) => kind === 'landmark' && entities.length > 0);
  const keyOf = ({ entities }: ManifestSet): string => entities.join(' ');
  return landmarks.filter((set, i) => landmarks.findIndex((other) => keyOf(other) === keyOf(set)) === i);
}

/**
 * Reward terms that can be added for the agents of a group. Values are multiples of the scale's reward. Others come before
 * places, of which some scenarios have many. Distances count while there is somebody to be near to.
 */
export function rewardTemplates(
  manifest: ScenarioManifest,
  group: string,
  scale: WorldScale,
): AdditionTemplate[] {
  const guards = guardsOf(manifest);
  const places = distinctLandmarks(manifest).flatMap((set) => landmarkShapes(group, set, scale, guards));
  const allies = sizeOf(manifest, group) > 1 ? allyShapes(group, scale, guards) : [];
  const others = manifest.groups.filter(({ name }) => name !== group);
  const opponents = others.flatMap(({ name }) => opponentShapes(name, scale, guards));
  return [...allies, ...opponents, ...places].map((shape) => rewardTemplate(shape, group, scale));
}

function rewardTemplate(
  { name, doc, primitives, clauses }: Shape,
  group: string,
  scale: WorldScale,
): AdditionTemplate {
  return {
    name,
    doc,
    primitives,
    values: weights,
    size: sizeOfWeight,
    write: (unique, value) =>
      block(`reward ${unique} "${doc}"`, [
        `for a in ${group}`,
        ...clauses.map((clause) => clause.replace('WEIGHT', formatNumber(value * scale.reward))),
      ]),
  };
}

/**
 * Reward terms for what the scenario can say of an agent of the group and others, by its relations: pay while it holds. Of every
 * relation what it may hold to comes in turn: opponents, mates, places.
 */
export function relationTemplates(
  manifest: ScenarioManifest,
  group: string,
  scale: WorldScale,
): AdditionTemplate[] {
  const shapes = manifest.relations
    .filter(({ kind, from }) => kind === 'boolean' && from !== 'landmark')
    .map((relation) =>
      relationTargets(manifest, group, relation).map((target) => relationShape(relation.name, target)),
    );
  const most = Math.max(0, ...shapes.map(({ length }) => length));
  return Array.from({ length: most }, (_, turn) => shapes.flatMap((own) => own[turn] ?? []))
    .flat()
    .map((shape) => rewardTemplate(shape, group, scale));
}

/** To whom a relation of the group's agents can hold. */
function relationTargets(
  manifest: ScenarioManifest,
  group: string,
  { to, towards }: ManifestRelation,
): string[] {
  const isOpen = towards.length === 0;
  const opponents = manifest.groups.filter(({ name }) => name !== group).map(({ name }) => name);
  const mates = sizeOf(manifest, group) > 1 ? ['ally(a)'] : [];
  const named = new Set(
    manifest.sets.filter(({ name }) => towards.includes(name)).flatMap(({ entities }) => entities),
  );
  const places = distinctLandmarks(manifest).filter(
    ({ entities }) => isOpen || entities.every((entity) => named.has(entity)),
  );
  const agents = [
    ...(isOpen || towards.includes('opponent') ? opponents : []),
    ...(isOpen || towards.includes('ally') ? mates : []),
  ];
  return [...(to === 'landmark' ? [] : agents), ...(to === 'agent' ? [] : places.map(({ name }) => name))];
}

const withArticle = (word: string): string => `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;

function relationShape(relation: string, target: string): Shape {
  const word = target === 'ally(a)' ? 'mate' : target;
  return {
    name: `pay_${relation}_${word}`,
    doc: `Pay for '${relation.replaceAll('_', ' ')}' towards ${withArticle(word)}`,
    primitives: [relation, target],
    clauses: [`when a.${relation}(${target})`, 'give WEIGHT to a'],
  };
}

/** Rules that can be added: a writable attribute of the group's agents is scaled near landmarks or near each other. */
export function ruleTemplates(
  manifest: ScenarioManifest,
  group: string,
  scale: WorldScale,
): AdditionTemplate[] {
  const landmark = manifest.sets.find(({ kind, dynamic }) => kind === 'landmark' && !dynamic)?.name;
  return manifest.attributes
    .filter(({ kind, writable }) => kind === 'agent' && writable)
    .flatMap(({ name: attribute }) => {
      const places: { readonly near: string; readonly of: string; readonly words: string }[] = [];
      if (sizeOf(manifest, group) > 1) places.push({ near: 'others', of: group, words: 'near others' });
      if (landmark !== undefined) places.push({ near: landmark, of: landmark, words: `near a ${landmark}` });
      return places.map(({ near, of, words }): AdditionTemplate => {
        const doc = `Change ${attribute} ${words}`;
        return {
          name: `${attribute}_near_${near}`,
          doc,
          primitives: [attribute, 'distance', 'nearest'],
          values: factors,
          size: sizeOfFactor,
          write: (unique, value) =>
            block(`rule ${unique} "${doc}"`, [
              `for a in ${group}`,
              `when distance(a, nearest(${of})) < ${nearOf(scale)}`,
              `then a.${attribute} *= ${value}`,
            ]),
        };
      });
    });
}
