import type { EdlHost } from '../../src/engine/edl/types.ts';
import type { ManifestAttribute, ManifestGroup, ScenarioManifest } from '../../src/shared/rl/manifest.ts';

const actionNames = ['no_action', 'move_left', 'move_right', 'move_down', 'move_up'];

function groupOf(name: string, agents: string[], firstAgent: number, obsDim: number): ManifestGroup {
  return {
    name,
    agents,
    firstAgent,
    obsDim,
    numActions: 5,
    actionNames,
    continuousDim: 5,
    scripted: ['still'],
    defaultScripted: null,
  };
}

function attributesFor(kind: 'agent' | 'landmark', firstId: number): ManifestAttribute[] {
  const read = (
    name: string,
    i: number,
    unit: ManifestAttribute['unit'],
    min: number,
    max: number,
    doc: string,
  ) =>
    ({
      name,
      kind,
      id: firstId + i,
      unit,
      min,
      max,
      writable: false,
      doc,
      of: [],
      nominal: false,
    }) satisfies ManifestAttribute;
  const base = [read('x', 0, 'm', -10, 10, 'position'), read('y', 1, 'm', -10, 10, 'position')];
  if (kind === 'landmark') return base;
  return [
    ...base,
    read('speed', 2, 'm/s', 0, 100, 'magnitude of the velocity'),
    read('mass', 3, 'none', 1, 1, 'inertia, a physics constant'),
    { ...read('accel', 4, 'm/s^2', 0, 20, 'acceleration of a full action'), writable: true },
    { ...read('max_speed', 5, 'm/s', 0, 100, 'speed limit'), writable: true },
  ];
}

function pursuitSets(landmarks: number[], numGood: number): ScenarioManifest['sets'] {
  const good = Array.from({ length: numGood }, (_, i) => i + 1);
  return [
    { name: 'goal', kind: 'landmark', entities: landmarks, dynamic: true, doc: 'the goal' },
    {
      name: 'leader',
      kind: 'agent',
      entities: good,
      dynamic: true,
      doc: 'the good agent nearest to the goal',
    },
  ];
}

/** What most parameters are. */
const usual = { live: null, choices: [], playedBy: null, awaits: null, reach: null, standsFor: null };

/** A manifest in the manner of simple_spread (n agents) or, with an adversary, of simple_adversary. */
export function testManifest(name: 'spread' | 'pursuit', numGood: number): ScenarioManifest {
  const numAdversaries = name === 'pursuit' ? 1 : 0;
  const numAgents = numAdversaries + numGood;
  const good = Array.from({ length: numGood }, (_, i) => `agent_${i}`);
  const groups = [
    ...(numAdversaries === 1 ? [groupOf('adversary', ['adversary_0'], 0, 8)] : []),
    groupOf('agent', good, numAdversaries, 10),
  ];
  const landmarks = Array.from({ length: numGood }, (_, i) => numAgents + i);
  const agentSets = groups.map((group) => {
    const entities = group.agents.map((_, i) => group.firstAgent + i);
    return { name: group.name, kind: 'agent', entities, dynamic: false, doc: group.name } as const;
  });
  return {
    name,
    version: 1,
    title: name,
    doc: 'for tests',
    numAgents,
    obsDim: 10,
    stateDim: 28,
    numActions: 5,
    continuousDim: 5,
    episodeLength: 25,
    stepSeconds: 0.1,
    parameters: [
      {
        name: 'agent.count',
        kind: 'int',
        unit: 'none',
        default: 3,
        min: 1,
        max: 8,
        structural: true,
        coach: false,
        ...usual,
        doc: 'agents',
      },
      {
        name: 'agent.accel',
        kind: 'float',
        unit: 'm/s^2',
        default: 5,
        min: 0,
        max: 20,
        structural: false,
        coach: true,
        ...usual,
        doc: 'push',
      },
      {
        name: 'episode.length',
        kind: 'int',
        unit: 'steps',
        default: 25,
        min: 1,
        max: 1000,
        structural: false,
        coach: true,
        ...usual,
        doc: 'steps',
      },
      {
        name: 'agent.collide',
        kind: 'bool',
        unit: 'none',
        default: 1,
        min: 0,
        max: 1,
        structural: false,
        coach: true,
        ...usual,
        doc: 'bodies touch',
      },
      {
        name: 'local_ratio',
        kind: 'float',
        unit: 'percent',
        default: 0.5,
        min: 0,
        max: 1,
        structural: false,
        coach: true,
        ...usual,
        doc: 'own share',
      },
      {
        name: 'world.damping',
        kind: 'float',
        unit: 'none',
        default: 0.25,
        min: 0,
        max: 1,
        structural: false,
        coach: false,
        ...usual,
        doc: 'drag',
      },
    ],
    groups,
    sets: [
      ...agentSets,
      { name: 'landmark', kind: 'landmark', entities: landmarks, dynamic: false, doc: 'landmarks' },
      ...(name === 'pursuit' ? pursuitSets(landmarks, good.length) : []),
    ],
    attributes: [...attributesFor('agent', 0), ...attributesFor('landmark', 6)],
    signals: [
      { name: 'time', id: 0, unit: 'steps', min: 0, max: 25, doc: 'steps since the episode began' },
      { name: 'progress', id: 1, unit: 'percent', min: 0, max: 1, doc: 'share of the episode' },
    ],
    components: [
      { name: 'distance', doc: 'base' },
      { name: 'collision', doc: 'base' },
    ],
    nominalReturn: 25,
    relations: [],
    events: [],
    behaviours: [],
    capacities: [],
    presence: { agent: null, landmark: null },
    metrics: [
      {
        name: 'coverage',
        unit: 'percent',
        perAgent: false,
        better: 'higher',
        min: 0,
        max: 1,
        doc: 'covered landmarks',
      },
      {
        name: 'collisions',
        unit: 'none',
        perAgent: true,
        better: 'lower',
        min: 0,
        max: 1000,
        doc: 'per episode',
      },
      {
        name: 'spacing',
        unit: 'm',
        perAgent: false,
        better: 'neither',
        min: 0,
        max: 100,
        doc: 'mean distance',
      },
    ],
  };
}

/** A host with `spread` and `pursuit`, counts resolved by `agent.count`. */
export function testHost(): EdlHost & { readonly asked: string[] } {
  const made = new Map<string, ScenarioManifest>();
  const asked: string[] = [];
  return {
    asked,
    scenarioNames: () => ['spread', 'pursuit'],
    manifest(scenario, parameters) {
      if (scenario !== 'spread' && scenario !== 'pursuit') return null;
      const count = parameters['agent.count'] ?? (scenario === 'spread' ? 3 : 2);
      const key = `${scenario} ${count}`;
      asked.push(key);
      const manifest = made.get(key) ?? testManifest(scenario, count);
      made.set(key, manifest);
      return manifest;
    },
  };
}
