import { describe, expect, test } from 'vitest';
import { worldKey } from '../../../../src/engine/learn/data/world-key.ts';
import { opcodes } from '../../../../src/shared/generated/opcodes.ts';
import type { EnvironmentSpec } from '../../../../src/shared/rl/vec-env.ts';
import type { VmProgram } from '../../../../src/shared/rl/vm-program.ts';

type Instruction = readonly [number, number, number, number, number];

const declare = (declaration: number): Instruction => [opcodes.DECL.code, declaration, 0, 0, 0];
const load = (constant: number): Instruction => [opcodes.CONST.code, 0, constant, 0, 0];

/** One rule and one reward, each of which reads a constant. */
function program(
  rule: number,
  reward: number,
  order: 'rule first' | 'reward first' = 'rule first',
): VmProgram {
  const isFirst = order === 'rule first';
  const rules = [declare(isFirst ? 0 : 1), load(isFirst ? 0 : 1)];
  const rewards = [declare(isFirst ? 1 : 0), load(isFirst ? 1 : 0)];
  const declarations = [
    { kind: 'rule', name: 'slow', key: 11, instances: 1 },
    { kind: 'reward', name: 'near', key: 12, instances: 1 },
  ] as const;
  return {
    code: Int32Array.from([...rules, ...rewards].flat()),
    sections: { control: 0, npc: 0, rules: 2, rewards: 2, potentials: 0, metrics: 0 },
    numRegisters: 1,
    constants: Float64Array.from(isFirst ? [rule, reward] : [reward, rule]),
    declarations: isFirst ? declarations : [...declarations].reverse(),
    components: [],
    metrics: [],
    memory: new Float64Array(0),
    memoryKeys: new Uint32Array(0),
    eventKeys: new Uint32Array(0),
    regimes: [],
    regimeWord: -1,
  };
}

const spec: EnvironmentSpec = { scenario: 'spread', parameters: { a: 1, b: 2 }, program: null, scripted: {} };
const key = (changes: Partial<EnvironmentSpec>): string => worldKey({ ...spec, ...changes });

describe('worldKey', () => {
  test('stays when only what is paid changes', () => {
    expect(key({ program: program(0.4, 1) })).toBe(key({ program: program(0.4, -5) }));
  });

  test('stays when constants and declarations are merely counted otherwise', () => {
    expect(key({ program: program(0.4, 1) })).toBe(key({ program: program(0.4, 1, 'reward first') }));
  });

  test('stays when parameters are named in another order', () => {
    expect(key({ parameters: { b: 2, a: 1 } })).toBe(key({}));
  });

  test.each([
    ['a rule', { program: program(0.5, 1) }, { program: program(0.4, 1) }],
    ['a rule more', { program: program(0.4, 1) }, {}],
    ['a parameter', { parameters: { a: 1, b: 3 } }, {}],
    ['who plays a group', { scripted: { prey: 'flee' } }, {}],
    ['the scenario', { scenario: 'tag' }, {}],
  ])('changes with %s', (_, one, other) => {
    expect(key(one)).not.toBe(key(other));
  });

  test('stays for a program that acts on nothing', () => {
    const idle = {
      ...program(0, 1),
      sections: { control: 0, npc: 0, rules: 0, rewards: 4, potentials: 0, metrics: 0 },
    };
    expect(key({ program: idle })).toBe(key({}));
  });
});
