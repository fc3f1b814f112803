import type { ManifestEvent } from '../../../shared/rl/manifest.ts';
import { drawKey } from '../../../shared/rl/vm-program.ts';
import type { EnvironmentIr, EventActionIr, EventIr } from '../ir.ts';
import { declareAction, firedAction, instanceCondition, nameOf, reachedBy, unroll } from './blocks.ts';
import { indexNode, type LoweringScope, nobody } from './entities.ts';
import { lowerExpression } from './expressions.ts';
import type { NodeId } from './graph.ts';
import { dueNode, happensNode } from './moments.ts';
import { lastWord, recalledEvents, stepNode } from './recent.ts';
import type { Action } from './schedule.ts';

/** The events of an environment, and what is remembered of them for `recent`. */
export function lowerEvents(scope: LoweringScope, ir: EnvironmentIr): Action[] {
  const recalled = recalledEvents(ir);
  return ir.events.flatMap((event) => {
    const { actions, happened } = lowerEvent(scope, event);
    if (recalled.has(event.name)) {
      const word = lastWord(scope.table, event.name);
      actions.push({ op: 'STORE', dst: word, a: 0, b: stepNode(scope), c: happened });
    }
    return actions;
  });
}

function lowerEvent(scope: LoweringScope, event: EventIr): { actions: Action[]; happened: NodeId } {
  const { graph, table } = scope;
  const instances = unroll(scope, event.loops);
  const declaration = table.declare('event', event.name, instances.length);
  const due = event.trigger.op === 'when' ? graph.number(1) : dueNode(scope, event.trigger);
  const actions: Action[] = [declareAction(declaration)];
  let happened = graph.number(0);
  for (const instance of instances) {
    const condition = graph.and(due, instanceCondition(instance, event.condition));
    const draw = drawKey(instance.members.join(','));
    const happens = graph.and(condition, happensNode(scope, declaration, draw, event.chance));
    actions.push(firedAction(declaration, happens));
    event.actions.forEach((action, i) => {
      const key = `event ${event.name} ${instance.members.join(',')} ${i}`;
      actions.push(...lowerEventAction(instance, action, happens, key));
    });
    happened = graph.or(happened, happens);
  }
  return { actions, happened };
}

/** `key` tells the action from all others; whom it reaches of a set tells its happenings apart. */
function lowerEventAction(
  scope: LoweringScope,
  action: EventActionIr,
  happens: NodeId,
  key: string,
): Action[] {
  const { graph, index, table } = scope;
  const event = index.events.get(`${action.verb} ${action.event}`);
  if (event === undefined) throw new RangeError(`no event ${action.verb} ${action.event}`);
  const amount = lowerAmount(scope, action.amount, event.amount);
  const { target } = action;
  if (target === null) {
    table.eventKeys.push(drawKey(`${key} `));
    return [{ op: 'EVENT', dst: event.id, a: amount, b: graph.number(nobody), c: happens }];
  }
  const isNamed = target.op === 'each' || target.op === 'entity';
  return reachedBy(scope, target, happens).map(({ entity, when }): Action => {
    table.eventKeys.push(drawKey(`${key} ${isNamed ? (nameOf(scope, entity) ?? '') : ''}`));
    return { op: 'EVENT', dst: event.id, a: amount, b: indexNode(scope, entity), c: when };
  });
}

/** Without an amount the event's own default, or nothing. The machine traps on what is not finite and bounds the rest. */
function lowerAmount(
  scope: LoweringScope,
  amount: EventActionIr['amount'],
  bounds: ManifestEvent['amount'],
): NodeId {
  return amount === null ? scope.graph.number(bounds?.default ?? 0) : lowerExpression(scope, amount);
}
