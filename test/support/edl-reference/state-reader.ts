import { createVecEnv } from '../../../src/engine/sim/index.ts';
import { type OpcodeName, opcodes } from '../../../src/shared/generated/opcodes.ts';
import type { ManifestAttribute, ManifestSet, ScenarioManifest } from '../../../src/shared/rl/manifest.ts';
import type { EnvironmentSpec, VecEnv } from '../../../src/shared/rl/vec-env.ts';
import type { VmMetric, VmProgram } from '../../../src/shared/rl/vm-program.ts';

/** The true state of one copy, as the reference evaluator reads it. Entities are world indices. */
export interface World {
  readonly manifest: ScenarioManifest;
  /** Steps taken in the episode. */
  readonly step: number;
  /** An attribute as the scenario has it, before any program. */
  attribute(name: string, entity: number): number;
  /** Everything that was read, in an order of its own: the same values are the same state. */
  readonly values: Float64Array;
  signal(name: string): number;
  /** The entity that a dynamic set denotes. */
  member(set: string): number;
  /** A relation as it is where writable attributes ("name entity") have the given values instead of their base. */
  relation(name: string, from: number, to: number, attributes: ReadonlyMap<string, number>): number;
}

/** One value of the state: the instruction that reads it, and the agent row under which the probe reports it. */
interface Reading {
  readonly key: string;
  readonly metric: string;
  readonly agent: number;
  readonly load: readonly [OpcodeName, number, number];
  /** Entity index that goes into register 2 first; relations only. */
  readonly to: number | null;
}

interface Slot {
  readonly attribute: ManifestAttribute;
  readonly entity: number;
}

/** Where the header of a snapshot says how many words other programs may know. */
const numSharedAt = 52;

/**
 * Reads true states out of snapshots through a probe of hand-written loads: nothing of the language is involved, and any
 * scenario can be read that has a manifest.
 */
export class StateReader {
  readonly #env: VecEnv;
  readonly #readings: readonly Reading[];
  readonly #metrics: readonly string[];
  /** Writable attributes in the order in which the probe keeps bases of them. */
  readonly #slots: readonly Slot[];
  /** Words at the end of the probe's own snapshots: those bases, value and count of every metric and agent, their keys. */
  readonly #tailWords: number;
  readonly #places: ReadonlyMap<string, number>;
  /** Relations are many: only those that are asked for are read. */
  constructor(spec: EnvironmentSpec, manifest: ScenarioManifest, relations: ReadonlySet<string>) {
    this.#readings = [
      ...attributeReadings(manifest),
      ...worldReadings(manifest),
      ...relationReadings(manifest, relations),
    ];
    this.#metrics = [...new Set(this.#readings.map((reading) => reading.metric))];
    const { numAgents } = manifest;
    this.#places = new Map(
      this.#readings.map(({ key, metric, agent }) => [
        key,
        agent * this.#metrics.length + this.#metrics.indexOf(metric),
      ]),
    );
    this.#slots = manifest.attributes
      .filter(({ writable }) => writable)
      .flatMap((attribute) => bearersOf(manifest, attribute).map((entity) => ({ attribute, entity })));
    const program = probeProgram(this.#readings, this.#metrics, this.#slots);
    this.#tailWords = 2 * this.#slots.length + 2 * numAgents * this.#metrics.length;
    this.#env = createVecEnv(
      { scenario: spec.scenario, parameters: spec.parameters, program, scripted: {} },
      { numEnvs: 1, seed: 0n, firstEpisode: 0 },
    );
  }

  /** The copy itself, to act on before it is read. */
  get env(): VecEnv {
    return this.#env;
  }

  /** What the program of the snapshot kept is left out: bases that lasted are not the scenario's. */
  restore(snapshot: Uint8Array): void {
    const bare = snapshot.slice();
    new DataView(bare.buffer, bare.byteOffset).setUint32(numSharedAt, 0, true);
    this.#env.restore(0, bare);
  }

  /** The state of the copy as it is now. */
  read(step: number): World {
    const values = this.#env.probe();
    const get = (table: Float64Array, key: string): number => {
      const place = this.#places.get(key);
      if (place === undefined) throw new Error(`reference: the state has no ${key}`);
      return table[place] ?? Number.NaN;
    };
    const own = this.#env.snapshot(0);
    const under = new Map<ReadonlyMap<string, number>, Float64Array>();
    const valuesUnder = (attributes: ReadonlyMap<string, number>): Float64Array => {
      if (attributes.size === 0) return values;
      const known = under.get(attributes) ?? this.#probeUnder(own, attributes);
      under.set(attributes, known);
      return known;
    };
    return {
      manifest: this.#env.manifest,
      step,
      values,
      attribute: (name, entity) => get(values, `${name} ${entity}`),
      signal: (name) => get(values, name),
      member: (set) => get(values, `member ${set}`),
      relation: (name, from, to, attributes) => get(valuesUnder(attributes), `${name} ${from} ${to}`),
    };
  }

  /** What the probe sees where the bases that it keeps of writable attributes are these. */
  #probeUnder(snapshot: Uint8Array, attributes: ReadonlyMap<string, number>): Float64Array {
    const changed = snapshot.slice();
    const words = new DataView(changed.buffer, changed.byteOffset, changed.byteLength);
    const first = changed.byteLength - 8 * this.#tailWords;
    for (const [i, { attribute, entity }] of this.#slots.entries()) {
      const value = attributes.get(`${attribute.name} ${entity}`);
      if (value !== undefined) words.setFloat64(first + 8 * i, value, true);
    }
    this.#env.restore(0, changed);
    const values = this.#env.probe();
    this.#env.restore(0, snapshot);
    return values;
  }

  dispose(): void {
    this.#env.dispose();
  }
}

export function landmarkIndices(manifest: ScenarioManifest): number[] {
  const found = manifest.sets.filter((set) => set.kind === 'landmark').flatMap((set) => set.entities);
  return [...new Set(found)].sort((a, b) => a - b);
}

const agentIndices = (manifest: ScenarioManifest): number[] =>
  Array.from({ length: manifest.numAgents }, (_, i) => i);

/** World indices of the entities that have an attribute. */
export function bearersOf(manifest: ScenarioManifest, attribute: ManifestAttribute): number[] {
  const all = attribute.kind === 'agent' ? agentIndices(manifest) : landmarkIndices(manifest);
  if (attribute.of.length === 0) return all;
  const allowed = new Set(
    manifest.sets
      .filter((set: ManifestSet) => attribute.of.includes(set.name))
      .flatMap((set) => set.entities),
  );
  return all.filter((entity) => allowed.has(entity));
}

/** Rows of agents are their own; whatever else is read goes under agent 0 and a metric of its own. */
function rowOf(manifest: ScenarioManifest, key: string, entity: number): Pick<Reading, 'metric' | 'agent'> {
  if (entity < manifest.numAgents) return { metric: key, agent: entity };
  return { metric: `${key} of ${entity}`, agent: 0 };
}

function attributeReadings(manifest: ScenarioManifest): Reading[] {
  return manifest.attributes.flatMap((attribute) =>
    bearersOf(manifest, attribute).map((entity) => ({
      key: `${attribute.name} ${entity}`,
      ...rowOf(manifest, `${attribute.kind} ${attribute.name}`, entity),
      load: ['LOAD', attribute.id, entity] as const,
      to: null,
    })),
  );
}

function worldReadings(manifest: ScenarioManifest): Reading[] {
  const signals = manifest.signals.map(
    ({ name, id }): Reading => ({
      key: name,
      metric: `signal ${name}`,
      agent: 0,
      load: ['SIGNAL', id, 0],
      to: null,
    }),
  );
  const members = manifest.sets.flatMap((set, i): Reading[] => {
    if (!set.dynamic) return [];
    const key = `member ${set.name}`;
    return [{ key, metric: key, agent: 0, load: ['MEMBER', i, 0], to: null }];
  });
  return [...signals, ...members];
}

function relationReadings(manifest: ScenarioManifest, names: ReadonlySet<string>): Reading[] {
  const entities = (kind: 'agent' | 'landmark' | 'any'): number[] => [
    ...(kind === 'landmark' ? [] : agentIndices(manifest)),
    ...(kind === 'agent' ? [] : landmarkIndices(manifest)),
  ];
  return manifest.relations
    .filter(({ name }) => names.has(name))
    .flatMap((relation) =>
      entities(relation.from).flatMap((from) =>
        entities(relation.to).map((to) => ({
          key: `${relation.name} ${from} ${to}`,
          ...rowOf(manifest, `${relation.name} to ${to}`, from),
          load: ['RELATE', relation.id, from] as const,
          to,
        })),
      ),
    );
}

function probeProgram(
  readings: readonly Reading[],
  metricNames: readonly string[],
  slots: readonly Slot[],
): VmProgram {
  const constants = [1, 0];
  const code: number[] = [];
  const put = (op: OpcodeName, ...operands: [number, number, number, number]): void => {
    code.push(opcodes[op].code, ...operands);
  };
  put('DECL', 0, 0, 0, 0);
  put('CONST', 1, 1, 0, 0);
  for (const { attribute, entity } of slots) put('LSET', attribute.id, entity, 1, 1);
  const numRules = code.length / 5;
  put('DECL', 0, 0, 0, 0);
  put('CONST', 1, 0, 0, 0);
  for (const { load, to, metric, agent } of readings) {
    const [op, a, b] = load;
    if (to !== null) {
      if (!constants.includes(to)) constants.push(to);
      put('CONST', 2, constants.indexOf(to), 0, 0);
    }
    put(op, 0, a, b, to === null ? 0 : 2);
    put('MEASURE', metricNames.indexOf(metric), agent, 0, 1);
  }
  const metrics = metricNames.map(
    (name): VmMetric => ({ name, unit: 'none', isPerAgent: true, fold: 'last', doc: '', better: 'neither' }),
  );
  return {
    code: Int32Array.from(code),
    sections: {
      control: 0,
      npc: 0,
      rules: numRules,
      rewards: 0,
      potentials: 0,
      metrics: code.length / 5 - numRules,
    },
    numRegisters: 3,
    constants: Float64Array.from(constants),
    declarations: [{ kind: 'metric', name: 'state', key: 0, instances: 1 }],
    components: [],
    metrics,
    memory: new Float64Array(0),
    memoryKeys: new Uint32Array(0),
    regimes: [],
    eventKeys: new Uint32Array(0),
    regimeWord: -1,
  };
}
