import { describe, expect, test } from 'vitest';
import { scenarioManifest, scenarioNames, verifyProgram } from '../../../src/engine/sim/catalogue.ts';
import { opcodes } from '../../../src/shared/generated/opcodes.ts';
import type { VmProgram } from '../../../src/shared/rl/vm-program.ts';

describe('scenarioManifest', () => {
  test.each(scenarioNames())('%s has a manifest of the published schema', (name) => {
    const manifest = scenarioManifest(name);
    expect(manifest.name).toBe(name);
    expect(manifest.groups.flatMap((group) => group.agents)).toHaveLength(manifest.numAgents);
  });

  test.each(scenarioNames())(
    '%s has ids that are places, sets within the entities and docs for everything',
    (name) => {
      const manifest = scenarioManifest(name);
      expect(manifest.attributes.map((attribute) => attribute.id)).toEqual([...manifest.attributes.keys()]);
      expect(manifest.signals.map((signal) => signal.id)).toEqual([...manifest.signals.keys()]);
      const landmarks = manifest.sets.find((set) => set.name === 'landmark')?.entities ?? [];
      for (const set of manifest.sets) {
        expect(Math.max(...set.entities)).toBeLessThan(manifest.numAgents + landmarks.length);
      }
      const described = [
        ...manifest.parameters,
        ...manifest.sets,
        ...manifest.attributes,
        ...manifest.signals,
        ...manifest.metrics,
        ...manifest.components,
      ];
      for (const { doc } of described) expect(doc.length).toBeGreaterThan(5);
      for (const { default: value, min, max } of manifest.parameters) {
        expect(value).toBeGreaterThanOrEqual(min);
        expect(value).toBeLessThanOrEqual(max);
      }
    },
  );

  test('the same manifest is read once and cannot be changed; another order of parameters is the same', () => {
    const one = scenarioManifest('simple_spread', { 'agent.count': 4, 'episode.length': 30 });
    expect(scenarioManifest('simple_spread', { 'episode.length': 30, 'agent.count': 4 })).toBe(one);
    expect(scenarioManifest('simple_spread', { 'agent.count': 4 })).not.toBe(one);
    expect(Object.isFrozen(one) && Object.isFrozen(one.groups[0])).toBe(true);
  });

  test('shapes follow the parameters', () => {
    const manifest = scenarioManifest('simple_spread', { 'agent.count': 5, 'episode.length': 50 });
    expect(manifest).toMatchObject({ numAgents: 5, obsDim: 30, stateDim: 150, episodeLength: 50 });
    expect(manifest.groups[0]?.agents).toHaveLength(5);
  });

  test('physics constants and reward weights are not for a coach', () => {
    const closed = scenarioManifest('simple_spread').parameters.filter((parameter) => !parameter.coach);
    expect(closed.map((parameter) => parameter.name)).toEqual(
      expect.arrayContaining(['world.damping', 'reward.local_ratio', 'agent.count']),
    );
  });

  test('an unknown scenario or parameter is refused with a code', () => {
    expect(() => scenarioManifest('simple_spred')).toThrow(
      expect.objectContaining({ code: 'scenario.unknown' }),
    );
    expect(() => scenarioManifest('simple_spread', { 'agent.acel': 1 })).toThrow(
      expect.objectContaining({
        code: 'scenario.invalidParameter',
        message: expect.stringContaining('did you mean "agent.accel"'),
      }),
    );
  });
});

describe('verifyProgram', () => {
  const program: VmProgram = {
    code: Int32Array.from([opcodes.DECL.code, 0, 0, 0, 0, opcodes.CONST.code, 0, 0, 0, 0]),
    sections: { control: 0, npc: 0, rules: 2, rewards: 0, potentials: 0, metrics: 0 },
    numRegisters: 1,
    constants: Float64Array.of(1),
    declarations: [{ kind: 'rule', name: 'r', key: 7, instances: 1 }],
    components: [],
    metrics: [],
    memory: new Float64Array(0),
    memoryKeys: new Uint32Array(0),
    regimes: [],
    eventKeys: new Uint32Array(0),
    regimeWord: -1,
  };
  const spec = { scenario: 'simple_spread', parameters: {}, program, scripted: {} };

  test('accepts a good program and names instruction and operand of a bad one', () => {
    expect(() => verifyProgram(spec)).not.toThrow();
    const code = program.code.with(7, 3);
    expect(() => verifyProgram({ ...spec, program: { ...program, code } })).toThrow(
      expect.objectContaining({
        code: 'vm.badProgram',
        message: expect.stringContaining('instruction 1 (CONST): operand a: constant 3 is out of range'),
      }),
    );
  });

  test('refuses unknown groups and scripted policies with the known ones', () => {
    expect(() => verifyProgram({ ...spec, scripted: { agent: 'greedi' } })).toThrow(
      expect.objectContaining({ code: 'input.invalid', message: expect.stringContaining('greedy') }),
    );
    expect(() => verifyProgram({ ...spec, scripted: { red: 'noop' } })).toThrow(
      expect.objectContaining({ code: 'input.invalid' }),
    );
  });
});
