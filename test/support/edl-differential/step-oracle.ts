import { createVecEnv } from '../../../src/engine/sim/index.ts';
import { type OpcodeName, opcodes } from '../../../src/shared/generated/opcodes.ts';
import type { ScenarioManifest } from '../../../src/shared/rl/manifest.ts';
import type { EnvironmentSpec, VecEnv } from '../../../src/shared/rl/vec-env.ts';
import type { VmProgram } from '../../../src/shared/rl/vm-program.ts';
import type { Deed } from '../edl-reference/phases.ts';
import { groupOf } from '../edl-reference/sets.ts';

/** What the reference says a program does to the coming step of a copy. */
export interface Decision {
  readonly events: readonly Parameters<VecEnv['trigger']>[];
  /** Attributes of the step by "name entity", where they are not the scenario's own. */
  readonly effective: ReadonlyMap<string, number>;
  readonly deeds: ReadonlyMap<number, Deed>;
}

/**
 * The state a copy comes to when exactly that is done to it, by a program that is written by hand and decides nothing:
 * events are triggered, attributes are set outright, every agent is told its behaviour. Returns the copy's snapshot.
 */
export function stateAfter(
  { spec, manifest }: { readonly spec: EnvironmentSpec; readonly manifest: ScenarioManifest },
  snapshot: Uint8Array,
  decision: Decision,
  actions: Int32Array,
): Uint8Array {
  const program = programOf(manifest, spec.scripted, decision);
  const env = createVecEnv({ ...spec, program }, { numEnvs: 1, seed: 0n, firstEpisode: 0 });
  env.restore(0, snapshot);
  for (const [, event, options] of decision.events) env.trigger(0, event, options);
  env.step(actions);
  const after = env.snapshot(0);
  env.dispose();
  return after;
}

function programOf(
  manifest: ScenarioManifest,
  scripted: EnvironmentSpec['scripted'],
  { effective, deeds }: Decision,
): VmProgram {
  const constants: number[] = [];
  const code: number[] = [];
  const put = (op: OpcodeName, ...operands: [number, number, number, number]): void => {
    code.push(opcodes[op].code, ...operands);
  };
  const constant = (register: number, value: number): void => {
    put('CONST', register, constants.push(value) - 1, 0, 0);
  };
  put('DECL', 0, 0, 0, 0);
  for (const [key, value] of effective) {
    const [name = '', entity = ''] = key.split(' ');
    const kind = Number(entity) < manifest.numAgents ? 'agent' : 'landmark';
    const attribute = manifest.attributes.find((one) => one.name === name && one.kind === kind);
    if (attribute === undefined) throw new Error(`no attribute ${key}`);
    constant(0, value);
    constant(1, 1);
    put('BASE', attribute.id, Number(entity), 0, 1);
  }
  const control = code.length / 5;
  put('DECL', 0, 0, 0, 0);
  for (let agent = 0; agent < manifest.numAgents; agent++) {
    if (scripted[manifest.groups[groupOf(manifest, agent)]?.name ?? ''] !== 'npc') continue;
    const deed = deeds.get(agent);
    const behaviour = manifest.behaviours.find(({ name }) => name === deed?.behaviour);
    constant(0, deed?.target ?? -1);
    constant(1, deed === undefined ? 0 : 1);
    put('BEHAVE', behaviour?.id ?? 0, agent, 0, 1);
  }
  const npc = code.length / 5 - control;
  return {
    code: Int32Array.from(code),
    sections: { control, npc, rules: 0, rewards: 0, potentials: 0, metrics: 0 },
    numRegisters: 2,
    constants: Float64Array.from(constants),
    declarations: [{ kind: 'rule', name: 'told', key: 0, instances: 1 }],
    components: [],
    metrics: [],
    memory: new Float64Array(0),
    memoryKeys: new Uint32Array(0),
    regimes: [],
    eventKeys: new Uint32Array(0),
    regimeWord: -1,
  };
}
