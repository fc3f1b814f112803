import type { RuleIr } from '../ir.ts';
import { declareAction, firedAction, instanceCondition, lowerTarget, rootScope, unroll } from './blocks.ts';
import { lowerExpression } from './expressions.ts';
import type { ValueGraph } from './graph.ts';
import type { ProgramTable } from './program-table.ts';
import type { Action } from './schedule.ts';

const effectOpcodes = {
  passing: { set: 'SET', scale: 'SCALE', shift: 'SHIFT' },
  lasting: { set: 'LSET', scale: 'LSCALE', shift: 'LSHIFT' },
} as const;

/** What a rule does: its effects, once per instance. */
export function lowerRule(table: ProgramTable, graph: ValueGraph, rule: RuleIr): Action[] {
  const { index } = table;
  const scopes = unroll(rootScope(table, graph), rule.loops);
  const declaration = table.declare('rule', rule.name, scopes.length);
  const actions: Action[] = [declareAction(declaration)];
  for (const scope of scopes) {
    const condition = instanceCondition(scope, rule.condition);
    actions.push(firedAction(declaration, condition));
    for (const effect of rule.effects) {
      const value = lowerExpression(scope, effect.value);
      const op = effectOpcodes[effect.isLasting ? 'lasting' : 'passing'][effect.operator];
      for (const { entity, when } of lowerTarget(scope, effect.target, condition)) {
        const kind = index.entitiesByIndex.get(entity)?.kind ?? 'agent';
        const attribute = index.attributes[kind].get(effect.attribute);
        if (attribute === undefined) throw new RangeError(`no attribute ${effect.attribute}`);
        actions.push({ op, dst: attribute.id, a: entity, b: value, c: when });
      }
    }
  }
  return actions;
}
