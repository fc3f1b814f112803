import type { Measure } from '../../dimension.ts';
import { measureOf, plain } from '../../dimension.ts';
import { framesOf } from '../assist-text.ts';
import { type ExpressionPlace, evaluateText } from '../evaluate.ts';
import type { Frame, Step } from '../grammar-walk.ts';
import type { Scene } from '../scene.ts';
import { joinTokens, stepsOf, textOf } from '../scope.ts';

interface Surroundings {
  readonly scene: Scene;
  readonly place: ExpressionPlace;
  /** The tokens before the number or unit. */
  readonly steps: readonly Step[];
}

/** Functions whose value has the dimension of their arguments. */
const transparent: ReadonlySet<string> = new Set(['min', 'max', 'clamp', 'abs']);
const times: ReadonlySet<string> = new Set(['Decay', 'Ramp', 'Every', 'At', 'Leave']);
const plainParts: ReadonlySet<string> = new Set(['Gift', 'Penalty']);

/** The unit in which a quantity at a place counts, as far as what stands before it tells; null where anything may. */
export function expectedMeasure(at: Surroundings, frame: Frame): Measure | null {
  for (const inner of framesOf(frame)) {
    const outer = inner.parent;
    if (times.has(inner.rule.name)) return unit(at, 'steps');
    if (inner.rule.name === 'SignedQuantity') return ofParameter(at, outer);
    if (outer === null) return null;
    const found = ofPart(at, inner, outer);
    if (found !== 'further') return found;
  }
  return null;
}

/** What `outer` wants of its part `inner`; 'further' where what is around `outer` decides. */
function ofPart(at: Surroundings, inner: Frame, outer: Frame): Measure | null | 'further' {
  switch (outer.rule.name) {
    case 'Product':
      return hasEarlier(at, outer) ? null : 'further';
    case 'Sum':
      return hasEarlier(at, outer) ? ofText(at, firstOperand(at, outer)) : 'further';
    case 'Comparison':
      return inner.feature === 'right' ? ofText(at, textOf(at.steps, outer, 'left')) : 'further';
    case 'Effect':
      return ofEffect(at, outer);
    case 'EventAction':
      return ofEvent(at, outer);
    case 'Call':
      return ofCall(at, inner, outer);
    default:
      if (plainParts.has(outer.rule.name)) return plain;
      return isBarrier(outer) ? null : 'further';
  }
}

/** What stands around a condition says nothing about numbers in it. */
function isBarrier({ rule: { name } }: Frame): boolean {
  return ['Condition', 'Until', 'Metric', 'Constraint', 'Quantifier', 'Declaration', 'Arguments'].includes(
    name,
  );
}

/** Whether an operand stands before the one the place is in. */
function hasEarlier({ steps }: Surroundings, frame: Frame): boolean {
  return steps.some((step) => step.frame === frame && step.role?.feature === 'operators');
}

function firstOperand({ steps }: Surroundings, frame: Frame): string {
  const operator = steps.find((step) => step.frame === frame && step.role?.feature === 'operators');
  const all = stepsOf(steps, frame, 'operands');
  return joinTokens(all.filter((step) => step.token.start < (operator?.token.start ?? 0)));
}

function ofText({ scene, place }: Surroundings, text: string): Measure | null {
  const value = evaluateText(scene, place, text);
  return value?.type === 'number' ? value.measure : null;
}

function unit({ scene }: Surroundings, name: 'steps'): Measure {
  return measureOf(name, scene.index?.manifest.stepSeconds ?? 1);
}

function ofParameter(at: Surroundings, setting: Frame | null): Measure | null {
  const frame = [...framesOf(setting)].find(({ rule }) => rule.name === 'Setting');
  if (frame === undefined || at.scene.index === null) return null;
  const path = stepsOf(at.steps, frame, 'path').map((step) => step.token.text);
  const parameter = at.scene.index.parameters.get(path.join('.'));
  return parameter === undefined ? null : measureOf(parameter.unit, at.scene.index.manifest.stepSeconds);
}

function ofEffect(at: Surroundings, effect: Frame): Measure | null {
  if (at.steps.some((step) => step.frame === effect && step.token.text === '*=')) return plain;
  return ofText(at, joinTokens(stepsOf(at.steps, effect, 'target')));
}

function ofEvent(at: Surroundings, action: Frame): Measure | null {
  const { index } = at.scene;
  const [verb, name] = [textOf(at.steps, action, 'verb'), textOf(at.steps, action, 'event')];
  const amount = index?.manifest.events.find((event) => event.verb === verb && event.name === name)?.amount;
  return index === null || amount === undefined || amount === null
    ? null
    : measureOf(amount.unit, index.manifest.stepSeconds);
}

/** A later argument of `min` or `clamp` is as the first. */
function ofCall(at: Surroundings, inner: Frame, call: Frame): Measure | null | 'further' {
  if (!transparent.has(textOf(at.steps, call, 'name'))) return null;
  const all = stepsOf(at.steps, call, 'arguments');
  const [first] = all;
  if (first === undefined) return 'further';
  const isOfFirst = (step: Step): boolean => sharesArgument(step, first, call);
  const own = all.filter(isOfFirst);
  const isWithinFirst = own.some((step) => [...framesOf(step.frame)].includes(inner));
  return isWithinFirst ? 'further' : ofText(at, joinTokens(own));
}

function sharesArgument(step: Step, other: Step, call: Frame): boolean {
  const argument = (of: Step) => [...framesOf(of.frame)].find((frame) => frame.parent === call);
  return argument(step) === argument(other);
}
