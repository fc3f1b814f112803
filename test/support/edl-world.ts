import type { ScenarioManifest } from '../../src/shared/rl/manifest.ts';
import type { VecEnv } from '../../src/shared/rl/vec-env.ts';

const headerBytes = 48;

/** The true state of one copy of a particle scenario, as the reference evaluator reads it. */
export interface World {
  readonly manifest: ScenarioManifest;
  readonly time: number;
  /** World index of the goal landmark, where there is one. */
  readonly goal: number;
  /** [entity][2] */
  readonly positions: readonly (readonly [number, number])[];
  /** [agent][2] */
  readonly velocities: readonly (readonly [number, number])[];
  /** Writable attributes by "name entity", effective in this phase. */
  readonly effective: ReadonlyMap<string, number>;
}

/** Reads a copy's state out of its snapshot: positions, velocities, then the goal (simple_adversary). */
export function readWorld(env: VecEnv, copy: number, effective: ReadonlyMap<string, number>): World {
  const bytes = env.snapshot(copy);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (i: number): number => view.getFloat64(headerBytes + 8 * i, true);
  const { numAgents, sets } = env.manifest;
  const numLandmarks = sets.find((set) => set.name === 'landmark')?.entities.length ?? 0;
  const numEntities = numAgents + numLandmarks;
  const pair = (i: number): [number, number] => [word(2 * i), word(2 * i + 1)];
  const numBodies = numEntities + numAgents;
  return {
    manifest: env.manifest,
    time: view.getInt32(headerBytes - 8, true),
    goal: sets.some((set) => set.dynamic) ? numAgents + word(2 * numBodies) : -1,
    positions: Array.from({ length: numEntities }, (_, i) => pair(i)),
    velocities: Array.from({ length: numAgents }, (_, i) => pair(numEntities + i)),
    effective,
  };
}

/** Values of the writable attributes before any rule, by "name entity". */
export function baseAttributes(manifest: ScenarioManifest): Map<string, number> {
  const defaults = new Map(manifest.parameters.map((parameter) => [parameter.name, parameter.default]));
  const base = new Map<string, number>();
  for (const group of manifest.groups) {
    group.agents.forEach((_, i) => {
      for (const attribute of manifest.attributes) {
        const value = defaults.get(`${group.name}.${attribute.name}`);
        if (attribute.writable && value !== undefined)
          base.set(`${attribute.name} ${group.firstAgent + i}`, value);
      }
    });
  }
  return base;
}
