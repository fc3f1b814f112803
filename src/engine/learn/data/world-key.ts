import { createHash } from 'node:crypto';
import { instructionWords, type OperandKind, opcodes } from '../../../shared/generated/opcodes.ts';
import type { EnvironmentSpec } from '../../../shared/rl/vec-env.ts';
import { type VmProgram, vmSections } from '../../../shared/rl/vm-program.ts';

/** Sections that act upon the world; the others only value and measure what happened. */
const acting: readonly string[] = ['control', 'npc', 'rules'];

const operandsOf = new Map<number, readonly OperandKind[]>(
  Object.values(opcodes).map(({ code, operands }) => [code, operands]),
);

/**
 * Names the dynamics of an environment: equal keys mean that what happens follows the same rules, whatever is paid for it.
 * Different keys may still mean the same (memory laid out otherwise), never the reverse.
 */
export function worldKey({ scenario, parameters, program, scripted }: EnvironmentSpec): string {
  const sorted = (record: Readonly<Record<string, unknown>>): unknown =>
    Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([scenario, sorted(parameters), sorted(scripted), program && actsOf(program)]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Instructions of the acting sections, with constants and declarations by what they are instead of their index. */
function actsOf({ code, sections, constants, declarations, eventKeys, memory }: VmProgram): unknown {
  let first = 0;
  const acts: unknown[] = [];
  for (const section of vmSections) {
    const end = first + sections[section];
    for (let i = first; acting.includes(section) && i < end; i++) {
      const [op = 0, ...operands] = code.subarray(i * instructionWords, (i + 1) * instructionWords);
      const kinds = operandsOf.get(op) ?? [];
      acts.push([op, ...operands.map((operand, k) => meaningOf(operand, kinds[k]))]);
    }
    first = end;
  }
  return acts.length === 0 ? null : [acts, [...eventKeys], [...memory]];

  function meaningOf(operand: number, kind: OperandKind | undefined): unknown {
    if (kind === 'constant') return String(constants[operand]);
    if (kind === 'declaration') return `declaration ${declarations[operand]?.key}`;
    return operand;
  }
}
