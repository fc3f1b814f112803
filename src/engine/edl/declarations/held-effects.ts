import type { ManifestAttribute } from '../../../shared/rl/manifest.ts';
import { boundsOf, type Interval } from '../interval.ts';
import { candidatesOfLoops } from '../population.ts';
import { spellQuantity } from '../spell.ts';
import type { EffectDraft, EnvironmentDraft } from './kind.ts';

/** Warns of `*=` and `+=` that leave an attribute as it is, or that always come to one of its bounds. */
export function warnHeldEffects(draft: EnvironmentDraft): void {
  const all = draft.rules.flatMap((rule) => rule.effects.map((effect) => ({ effect, loops: rule.ir.loops })));
  const { index, reporter } = draft.context;
  for (const { effect, loops } of all) {
    const { ir, target } = effect;
    const attribute = index.attributes[target.kind].get(ir.attribute);
    // What other effects add to it, or what it was made to last at, could bring it back within its bounds.
    const isAlone = all.every(({ effect: other }) => other === effect || !isOnSame(effect, other));
    if (attribute === undefined || ir.operator === 'set' || !isAlone || isNeutral(effect)) continue;
    const value = boundsOf(index, ir.value, { variables: candidatesOfLoops(index, loops) });
    const base = baseOf(draft, effect, attribute);
    const bound = boundReached(attribute, after(ir.operator, base, value));
    if (bound === null) continue;
    // A lasting effect goes on from what it came to.
    const later = { min: Math.min(base.min, bound), max: Math.max(base.max, bound) };
    if (ir.isLasting && boundReached(attribute, after(ir.operator, later, value)) !== bound) continue;
    const message = heldMessage(attribute, base, bound);
    reporter.report(message.code, { node: effect.node }, message.text);
  }
}

/** Times 1 and plus 0 are told where they stand. */
function isNeutral({ ir }: EffectDraft): boolean {
  return ir.value.op === 'number' && ir.value.value === (ir.operator === 'scale' ? 1 : 0);
}

/** The bound that everything in an interval is at or beyond, some of it beyond; null: there is none. */
function boundReached({ min, max }: ManifestAttribute, { min: least, max: most }: Interval): number | null {
  if (least >= max && most > max) return max;
  return most <= min && least < min ? min : null;
}

function heldMessage(
  { max, name, unit }: ManifestAttribute,
  base: Interval,
  bound: number,
): { readonly code: 'EDL506' | 'EDL516'; readonly text: string } {
  const words = `${spellQuantity(bound, unit)}, its ${bound === max ? 'upper' : 'lower'} bound`;
  return base.min === bound && base.max === bound
    ? { code: 'EDL506', text: `the effect changes nothing: '${name}' is ${words} already` }
    : { code: 'EDL516', text: `'${name}' is always held at ${words}: the effect leads beyond it` };
}

/** Whether two effects may meet on one attribute of one entity. */
function isOnSame(one: EffectDraft, other: EffectDraft): boolean {
  if (one.ir.attribute !== other.ir.attribute || one.target.kind !== other.target.kind) return false;
  return one.target.candidates.some((entity) => other.target.candidates.includes(entity));
}

function after(operator: 'scale' | 'shift', base: Interval, value: Interval): Interval {
  if (operator === 'shift') return { min: base.min + value.min, max: base.max + value.max };
  const corners = [base.min, base.max].flatMap((a) => [value.min, value.max].map((b) => product(a, b)));
  return { min: Math.min(...corners), max: Math.max(...corners) };
}

function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

/** What the attribute may be before rules: what parameters and regimes make it, else anything within its bounds. */
function baseOf(
  draft: EnvironmentDraft,
  { ir, target }: EffectDraft,
  attribute: ManifestAttribute,
): Interval {
  const { index, parameters } = draft.context;
  const { min, max } = attribute;
  const live = index.manifest.parameters.filter(
    (parameter) => parameter.live?.mode === 'value' && parameter.live.attribute === ir.attribute,
  );
  const values: number[] = [];
  for (const entity of target.candidates) {
    const own = live.find((parameter) =>
      index.sets.get(parameter.live?.set ?? '')?.entities.includes(entity),
    );
    if (own === undefined) return { min, max };
    const settings = draft.regimes.flatMap((regime) => regime.ir.settings);
    values.push(
      parameters.get(own.name) ?? own.default,
      ...settings.filter(({ parameter }) => parameter === own.name).map(({ value }) => value),
    );
  }
  return { min: Math.min(...values), max: Math.max(...values) };
}
