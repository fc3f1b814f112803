import { measureOf } from '../dimension.ts';
import type { Call, Expression } from '../generated/ast.ts';
import type { ExpressionIr } from '../ir.ts';
import { binaryIr } from '../ir-make.ts';
import { type Context, elaborateEntity, elaborateNumber } from './context.ts';
import { attributeOf } from './reference.ts';
import { elaborateSet } from './set.ts';
import { asSeveral } from './set-argument.ts';
import { soleCall } from './sole-call.ts';
import { expectMeasure } from './units.ts';
import type { BooleanValue, EntityValue } from './value.ts';

/** `inside(a, zone)`: no farther from its centre than its radius; of a set: inside any of them. */
export function elaborateInside(context: Context, node: Call): BooleanValue | null {
  const [first, second] = node.arguments;
  const zone = second ?? first;
  if (zone === undefined) return null;
  const entity =
    second === undefined || first === undefined
      ? context.self
      : elaborateEntity(context, first, 'what is inside');
  if (entity === null) return null;
  const several = asSeveral(context, zone);
  if (several === null) {
    const place = elaborateEntity(context, zone, 'a zone');
    return place === null ? null : insideOne(context, entity, place, zone);
  }
  const set = elaborateSet(context, several);
  if (set === null) return null;
  const member: EntityValue = {
    type: 'entity',
    ir: { op: 'variable', index: context.variables.length },
    kind: set.kind,
    candidates: set.candidates,
    isFixed: !set.isDynamic,
  };
  const where = insideOne(context, entity, member, zone);
  if (where === null) return null;
  return {
    type: 'boolean',
    ir: { op: 'aggregate', kind: 'any', set: set.ir, where: where.ir, body: null },
  };
}

function insideOne(
  context: Context,
  entity: EntityValue,
  zone: EntityValue,
  node: Expression,
): BooleanValue | null {
  if (!context.index.attributes[zone.kind].has('radius')) {
    const message = `'${node.$cstNode?.text ?? ''}' has no radius: nothing can be inside`;
    context.reporter.report('EDL204', { node }, message);
    return null;
  }
  const radius = attributeOf(context, zone, ['radius'], node);
  if (radius === null) return null;
  const distance: ExpressionIr = { op: 'distance', from: entity.ir, to: zone.ir };
  return { type: 'boolean', ir: binaryIr('le', distance, radius.ir) };
}

/** `recent(supply, 50 steps)`: whether an event of this environment happened in so many last steps. */
export function elaborateRecent(context: Context, node: Call): BooleanValue | null {
  const [event, within] = node.arguments;
  if (event === undefined || within === undefined) return null;
  const sole = soleCall(event);
  const name = sole === null || sole.arguments !== null ? null : [sole.name, ...sole.path].join('.');
  if (name === null || !context.events.has(name)) {
    const text = name ?? event.$cstNode?.text ?? '';
    context.reporter.reportUnknown(
      'EDL216',
      { node: event },
      'event of this environment',
      text,
      context.events,
    );
    return null;
  }
  const number = elaborateNumber(context, within, 'how long ago');
  if (number === null) return null;
  const steps = expectMeasure(
    context,
    { value: number, node: within },
    measureOf('steps', context.index.manifest.stepSeconds),
    { what: 'how long ago', adopt: false },
  );
  if (steps === null) return null;
  if (steps.ir.op !== 'number' || steps.ir.value < 1) {
    context.reporter.report('EDL505', { node: within }, 'how long ago is a number, at least 1 step', [
      '1 step',
    ]);
    return null;
  }
  return { type: 'boolean', ir: { op: 'recent', event: name, steps: steps.ir.value } };
}
