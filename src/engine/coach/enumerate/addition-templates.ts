import type { ProposedChange } from '../../../shared/contract/coach.ts';
import type { ManifestSet, ScenarioManifest } from '../../../shared/rl/manifest.ts';

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
function block(head: string, clauses: readonly string[]): string {
  return [`${head} {`, ...clauses.map((clause) => `  ${clause}`), '}'].join('\n');
}

/** What can be said about agents and one set of landmarks. Distances suit worlds about 2 m wide. */
function landmarkShapes(group: string, set: ManifestSet): Shape[] {
  const landmark = set.name;
  return [
    {
      name: `approach_${landmark}`,
      doc: `Come closer to the nearest ${landmark}`,
      primitives: ['distance', 'nearest', landmark],
      clauses: [`give -WEIGHT * distance(a, nearest(${landmark})) / 1 m to a`],
    },
    {
      name: `reach_${landmark}`,
      doc: `Be at a ${landmark}`,
      primitives: ['distance', 'nearest', landmark],
      clauses: [`when distance(a, nearest(${landmark})) < 0.15 m`, 'give WEIGHT to a'],
    },
    {
      name: `cover_${landmark}`,
      doc: `As many of ${landmark} as possible have somebody near`,
      primitives: ['count', 'distance', landmark],
      clauses: [`give WEIGHT * count(l in ${landmark} where distance(l, nearest(${group})) < 0.15 m) to a`],
    },
  ];
}

function allyShapes(group: string): Shape[] {
  return [
    {
      name: 'keep_apart',
      doc: 'Do not crowd together',
      primitives: ['distance', 'nearest', group],
      clauses: [`when distance(a, nearest(${group})) < 0.3 m`, 'give -WEIGHT to a'],
    },
    {
      name: 'stay_together',
      doc: 'Stay near the others',
      primitives: ['distance', 'nearest', group],
      clauses: [`give -WEIGHT * distance(a, nearest(${group})) / 1 m to a`],
    },
  ];
}

function opponentShapes(opponent: string): Shape[] {
  return [
    {
      name: `avoid_${opponent}`,
      doc: `Keep away from the nearest ${opponent}`,
      primitives: ['distance', 'nearest', opponent],
      clauses: [`when distance(a, nearest(${opponent})) < 0.3 m`, 'give -WEIGHT to a'],
    },
    {
      name: `chase_${opponent}`,
      doc: `Come closer to the nearest ${opponent}`,
      primitives: ['distance', 'nearest', opponent],
      clauses: [`give -WEIGHT * distance(a, nearest(${opponent})) / 1 m to a`],
    },
  ];
}

function sizeOf(manifest: ScenarioManifest, group: string): number {
  return manifest.groups.find(({ name }) => name === group)?.agents.length ?? 0;
}

/** Reward terms that can be added for the agents of a group. */
export function rewardTemplates(manifest: ScenarioManifest, group: string): AdditionTemplate[] {
  const shapes: Shape[] = [];
  for (const set of manifest.sets) if (set.kind === 'landmark') shapes.push(...landmarkShapes(group, set));
  if (sizeOf(manifest, group) > 1) shapes.push(...allyShapes(group));
  for (const { name } of manifest.groups) if (name !== group) shapes.push(...opponentShapes(name));
  return shapes.map(({ name, doc, primitives, clauses }) => ({
    name,
    doc,
    primitives,
    values: weights,
    size: sizeOfWeight,
    write: (unique, value) =>
      block(`reward ${unique} "${doc}"`, [
        `for a in ${group}`,
        ...clauses.map((clause) => clause.replace('WEIGHT', String(value))),
      ]),
  }));
}

/** Rules that can be added: a writable attribute of the group's agents is scaled near landmarks or near each other. */
export function ruleTemplates(manifest: ScenarioManifest, group: string): AdditionTemplate[] {
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
              `when distance(a, nearest(${of})) < 0.3 m`,
              `then a.${attribute} *= ${value}`,
            ]),
        };
      });
    });
}
