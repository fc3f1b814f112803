import type { ManifestEvent } from '../../../shared/rl/manifest.ts';
import { measureOf } from '../dimension.ts';
import { type Context, elaborateNumber } from '../elaborate/context.ts';
import { elaborateEntityExpression, elaborateTargetExpression } from '../elaborate/entity-expression.ts';
import { expectMeasure } from '../elaborate/units.ts';
import type { EventAction } from '../generated/ast.ts';
import type { EventActionIr, ExpressionIr, TargetIr } from '../ir.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { spellQuantity } from '../spell.ts';

/** `spawn supply at random`, `disturb push a by 0.5 m/s`, `remove wall nearest(wall)`; null with a diagnostic. */
export function elaborateEventAction(context: Context, node: EventAction): EventActionIr | null {
  const event = findEvent(context, node);
  if (event === null) return null;
  const target = readTarget(context, node, event);
  const amount = readAmount(context, node, event);
  if (target === undefined || amount === undefined) return null;
  warnIdle(context, node, event, amount);
  return { verb: event.verb, event: event.name, amount, target };
}

/** Warns of a disturbance of nothing, and of a spawn for which there is never room. */
function warnIdle(
  { index, reporter }: Context,
  node: EventAction,
  { verb, name }: ManifestEvent,
  amount: ExpressionIr | null,
): void {
  if (verb === 'disturb' && amount?.op === 'number' && amount.value === 0)
    reporter.report('EDL506', { node }, `'${verb} ${name}' by 0 changes nothing`);
  if (verb !== 'spawn' || index.sets.get(name)?.entities.length !== 0) return;
  const capacity = index.capacities.has(name) ? `: 'capacity ${name} N' makes room` : '';
  reporter.report('EDL514', { node }, `'${verb} ${name}' never happens: '${name}' has no member${capacity}`);
}

/** What an event does, and within which bounds, for an explanation. */
export function eventActionWords(index: ManifestIndex, node: EventAction): string {
  const event = index.events.get(`${node.verb} ${node.event}`);
  if (event === undefined) return '';
  const { amount } = event;
  if (amount === null) return `: ${event.doc}`;
  const least = spellQuantity(amount.min, amount.unit);
  const most = spellQuantity(amount.max, amount.unit);
  const usual = node.amount === undefined ? `; by ${spellQuantity(amount.default, amount.unit)}` : '';
  return `: ${event.doc} (${least} to ${most}${usual})`;
}

function findEvent(context: Context, node: EventAction): ManifestEvent | null {
  const { index, reporter } = context;
  const event = index.events.get(`${node.verb} ${node.event}`);
  if (event !== undefined) return event;
  const otherwise = [...index.events.values()].filter(({ name }) => name === node.event);
  const [other] = otherwise;
  const place = { node, property: 'event' };
  if (other !== undefined) {
    const message = `'${node.event}' is nothing to ${node.verb}: write '${other.verb} ${other.name}'`;
    reporter.report('EDL311', { node, property: 'verb' }, message, [other.verb]);
    return null;
  }
  const known = [...index.events.values()].filter(({ verb }) => verb === node.verb).map(({ name }) => name);
  reporter.reportUnknown('EDL216', place, `event to ${node.verb}`, node.event, known);
  return null;
}

/** The entity or place it happens to; null: none, or anywhere; undefined with a diagnostic. */
function readTarget(context: Context, node: EventAction, event: ManifestEvent): TargetIr | null | undefined {
  const refuse = (message: string): undefined => {
    context.reporter.report('EDL311', { node }, message);
  };
  const name = `${event.verb} ${event.name}`;
  if (node.place !== undefined && !event.placed)
    return refuse(`'${name}' takes no place ('at …'): ${event.doc}`);
  if (node.place !== undefined && node.target !== undefined)
    return refuse(`'${name}' takes a target or a place, not both`);
  if (node.target === undefined) {
    if (node.place?.entity !== undefined)
      return elaborateEntityExpression(context, node.place.entity, `where '${name}' happens`)?.ir;
    if (event.target === 'none' || event.placed) return null;
    return refuse(`'${name}' needs ${targetWords[event.target]}: ${name} …`);
  }
  if (event.target === 'none') {
    const hint = event.placed ? `; write '${name} at …'` : '';
    return refuse(`'${name}' has no target${hint}: ${event.doc}`);
  }
  const target = elaborateTargetExpression(context, node.target, `the target of '${name}'`);
  if (target === null) return undefined;
  if (event.target !== 'any' && target.kind !== event.target)
    return refuse(`'${name}' happens to ${targetWords[event.target]}, not to ${targetWords[target.kind]}`);
  return target.ir;
}

const targetWords = { agent: 'an agent', landmark: 'a landmark', any: 'an entity', none: 'nothing' } as const;

/** How much; null: the event's own default, or none; undefined with a diagnostic. */
function readAmount(
  context: Context,
  node: EventAction,
  event: ManifestEvent,
): ExpressionIr | null | undefined {
  if (node.amount === undefined)
    return event.amount === null ? null : { op: 'number', value: event.amount.default };
  const name = `${event.verb} ${event.name}`;
  if (event.amount === null) {
    context.reporter.report('EDL311', { node: node.amount }, `'${name}' takes no amount ('by …')`);
    return undefined;
  }
  const number = elaborateNumber(context, node.amount, `the amount of '${name}'`);
  if (number === null) return undefined;
  const { unit, min, max } = event.amount;
  const measure = measureOf(unit, context.index.manifest.stepSeconds);
  const options = { what: `the amount of '${name}'`, adopt: true };
  const amount = expectMeasure(context, { value: number, node: node.amount }, measure, options)?.ir;
  if (amount?.op !== 'number' || (amount.value >= min && amount.value <= max)) return amount;
  const bound = spellQuantity(amount.value < min ? min : max, unit);
  const message = `the amount of '${name}' ranges from ${spellQuantity(min, unit)} to ${spellQuantity(max, unit)}`;
  context.reporter.report('EDL401', { node: node.amount }, message, [bound]);
  return undefined;
}
