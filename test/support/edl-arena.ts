import type { EdlHost } from '../../src/engine/edl/types.ts';
import type { ManifestAttribute, ScenarioManifest } from '../../src/shared/rl/manifest.ts';
import { testManifest } from './edl-manifests.ts';

const flag = (name: string, kind: 'agent' | 'landmark', id: number): ManifestAttribute => ({
  name,
  kind,
  id,
  unit: 'none',
  min: 0,
  max: 1,
  writable: false,
  of: [],
  nominal: false,
  doc: '1 while it takes part',
});

/** The parameters that regimes and capacities are about. */
function liveParameters(base: ScenarioManifest): ScenarioManifest['parameters'] {
  const count = {
    kind: 'int',
    unit: 'none',
    min: 0,
    max: 8,
    structural: true,
    coach: true,
    choices: [] as string[],
    playedBy: null,
    awaits: null,
    reach: null,
    standsFor: null,
  } as const;
  return [
    ...base.parameters.map((parameter) =>
      parameter.name === 'agent.accel'
        ? { ...parameter, live: { attribute: 'accel', set: 'agent', mode: 'value' as const } }
        : parameter,
    ),
    {
      ...count,
      name: 'adversary.count',
      default: 1,
      live: { attribute: 'enabled', set: 'adversary', mode: 'count' },
      doc: 'adversaries that take part',
    },
    { ...count, name: 'adversary.capacity', default: 0, live: null, doc: 'room for adversaries' },
  ];
}

/**
 * A manifest with something of everything that control deals with: `adversary` may be anything up to a capacity, agents
 * and landmarks come and go, zones have a radius, agents alone have a charge.
 */
export function arenaManifest(parameters: Readonly<Record<string, number>> = {}): ScenarioManifest {
  const base = testManifest('pursuit', 2);
  const adversaries = Math.max(1, parameters['adversary.capacity'] ?? 0, parameters['adversary.count'] ?? 1);
  const shift = adversaries - 1;
  const zones = [3 + shift, 4 + shift];
  const names = Array.from({ length: adversaries }, (_, i) => `adversary_${i}`);
  return {
    ...base,
    name: 'arena',
    numAgents: 2 + adversaries,
    stepSeconds: 0.5,
    episodeLength: 100,
    parameters: liveParameters(base),
    groups: base.groups.map((group) =>
      group.name === 'adversary'
        ? { ...group, agents: names }
        : { ...group, firstAgent: group.firstAgent + shift },
    ),
    sets: [
      { name: 'adversary', kind: 'agent', entities: names.map((_, i) => i), dynamic: false, doc: '' },
      { name: 'agent', kind: 'agent', entities: [1 + shift, 2 + shift], dynamic: false, doc: '' },
      { name: 'zone', kind: 'landmark', entities: zones, dynamic: false, doc: '' },
      { name: 'goal', kind: 'landmark', entities: zones, dynamic: true, doc: '' },
    ],
    attributes: [
      ...base.attributes,
      { ...flag('enabled', 'agent', 8) },
      { ...flag('active', 'landmark', 9) },
      { ...flag('radius', 'landmark', 10), unit: 'm', max: 5, doc: 'inside is who is no farther' },
      { ...flag('charge', 'agent', 11), of: ['agent'], writable: true, doc: 'what an agent has left' },
    ],
    relations: [
      {
        name: 'sees',
        id: 0,
        kind: 'boolean',
        from: 'agent',
        to: 'any',
        unit: 'none',
        doc: 'in sight',
        towards: [],
      },
      {
        name: 'hits',
        id: 1,
        kind: 'boolean',
        from: 'agent',
        to: 'agent',
        unit: 'none',
        doc: 'hit it',
        towards: [],
      },
      {
        name: 'path_length',
        id: 2,
        kind: 'number',
        from: 'agent',
        to: 'any',
        unit: 'm',
        doc: 'way there',
        towards: [],
      },
    ],
    events: [
      {
        name: 'push',
        id: 0,
        verb: 'disturb',
        target: 'agent',
        placed: false,
        amount: { unit: 'm/s', min: 0, max: 5, default: 1 },
        doc: 'a shove',
      },
      { name: 'supply', id: 1, verb: 'spawn', target: 'none', placed: true, amount: null, doc: 'appears' },
      { name: 'supply', id: 2, verb: 'remove', target: 'landmark', placed: false, amount: null, doc: 'goes' },
    ],
    behaviours: [
      { name: 'chase', id: 0, target: 'agent', doc: 'runs after' },
      { name: 'hold', id: 1, target: 'none', doc: 'stands' },
      { name: 'visit', id: 2, target: 'landmark', doc: 'goes there' },
    ],
    capacities: [{ set: 'adversary', count: 'adversary.count', capacity: 'adversary.capacity' }],
    presence: { agent: 'enabled', landmark: 'active' },
  };
}

/** A host with `arena`, counts resolved by the capacity of adversaries. */
export function arenaHost(capacities?: Readonly<Record<string, number>>): EdlHost {
  return {
    ...(capacities === undefined ? {} : { capacities }),
    scenarioNames: () => ['arena'],
    manifest: (scenario, parameters) => (scenario === 'arena' ? arenaManifest(parameters) : null),
  };
}
