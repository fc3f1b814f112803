import type { ManifestAttribute } from '../../../shared/rl/manifest.ts';
import { measureOf, plain } from '../dimension.ts';
import { elaborateLoops, elaborateWhen } from '../elaborate/block.ts';
import { type Context, elaborateNumber } from '../elaborate/context.ts';
import { elaborateTarget, isApplicable, reportAttribute, type TargetValue } from '../elaborate/reference.ts';
import { warnUndefined } from '../elaborate/undefined.ts';
import { expectMeasure } from '../elaborate/units.ts';
import { explainScope, headline, oneLine } from '../explain/words.ts';
import type { Effect, Rule } from '../generated/ast.ts';
import type { ExpressionIr } from '../ir.ts';
import { spellQuantity } from '../spell.ts';
import { warnHeldEffects } from './held-effects.ts';
import type { DeclarationKind, EffectDraft, EnvironmentDraft } from './kind.ts';

const operators = { '=': 'set', '*=': 'scale', '+=': 'shift' } as const;

/** `rule NAME { for … when … then … }`: effects on writable attributes, for the step. */
export const ruleKind: DeclarationKind<Rule> = {
  keyword: 'rule',
  nameOf: (node) => node.name,
  docOf: (node) => node.doc ?? '',
  explain({ index }, node) {
    const bounds = node.effects.map((effect) => {
      const name = effect.target.path.join('.');
      const attribute = index.attributes.agent.get(name) ?? index.attributes.landmark.get(name);
      const range =
        attribute === undefined
          ? ''
          : `, held within ${spellQuantity(attribute.min, attribute.unit)} to ${spellQuantity(attribute.max, attribute.unit)}`;
      return `  ${oneLine(effect)}${range}`;
    });
    return [headline('rule', node.name, node.doc), ...explainScope(node.loops, node.condition), ...bounds];
  },
  dependsOn: [],
  elaborate(draft, node) {
    const scope = elaborateLoops(draft.context, node.loops);
    if (scope === null) return;
    const condition = elaborateWhen(scope.context, node.condition);
    const effects = node.effects.map((effect) => elaborateEffect(scope.context, effect));
    for (const effect of effects) {
      if (effect !== null) warnUndefined(scope.context, effect.node.value, effect.ir.value, condition);
    }
    scope.finish();
    const found = effects.filter((effect) => effect !== null);
    if (condition === null || found.length < effects.length) return;
    const setters = found
      .filter(({ ir }) => ir.operator === 'set')
      .map(({ ir, target, node }) => {
        const { attribute, isLasting } = ir;
        return { attribute, isLasting, target, node, isRepeated: isRepeated(target, scope.sizes) };
      });
    draft.rules.push({
      ir: { name: node.name, loops: scope.loops, condition, effects: found.map((effect) => effect.ir) },
      effects: found,
      setters,
    });
  },
  finish(draft) {
    refuseSecondSetters(draft);
    warnHeldEffects(draft);
  },
};

function elaborateEffect(context: Context, node: Effect): EffectDraft | null {
  const target = elaborateTarget(context, node.target);
  if (target === null) return null;
  const name = node.target.path.join('.');
  if (name === '') {
    const known = [...context.index.attributes[target.kind].values()].filter(
      (attribute) => attribute.writable,
    );
    const names = known.map((attribute) => `${node.target.name}.${attribute.name}`);
    context.reporter.report(
      'EDL204',
      { node: node.target },
      `an effect changes an attribute: ${names.join(', ') || 'none is writable here'}`,
      names,
    );
    return null;
  }
  const attribute = context.index.attributes[target.kind].get(name);
  if (attribute === undefined) {
    reportAttribute(context, target.kind, name, { node: node.target, property: 'path' });
    return null;
  }
  if (!attribute.writable) {
    reportReadOnly(context, node, attribute);
    return null;
  }
  const place = { node: node.target, property: 'path' };
  if (!isApplicable(context, attribute, target.candidates, place)) return null;
  const value = effectValue(context, node, attribute);
  if (value === null) return null;
  return {
    ir: {
      operator: operators[node.operator],
      attribute: name,
      target: target.ir,
      value,
      isLasting: node.isLasting === true,
    },
    target,
    node,
  };
}

function reportReadOnly(context: Context, node: Effect, attribute: ManifestAttribute): void {
  const writable = [...context.index.attributes[attribute.kind].values()].filter(
    (candidate) => candidate.writable,
  );
  const names = writable.map((candidate) => candidate.name);
  const offer = names.length === 0 ? '' : `; rules may change ${names.join(', ')}`;
  const message = `'${attribute.name}' is read-only (${attribute.doc}): it follows from the physics of the scenario${offer}`;
  context.reporter.report('EDL402', { node: node.target, property: 'path' }, message);
}

function effectValue(context: Context, node: Effect, attribute: ManifestAttribute): ExpressionIr | null {
  const number = elaborateNumber(context, node.value, 'the value of an effect');
  if (number === null) return null;
  const isFactor = node.operator === '*=';
  const measure = isFactor ? plain : measureOf(attribute.unit, context.index.manifest.stepSeconds);
  const what = isFactor ? 'a factor' : `'${attribute.name}'`;
  const value = expectMeasure(context, { value: number, node: node.value }, measure, {
    what,
    adopt: !isFactor,
  });
  if (value === null) return null;
  return isConstantAllowed(context, node, attribute, value.ir) ? value.ir : null;
}

/** Constants are held to the bounds at once; what varies is clamped by the simulator. */
function isConstantAllowed(
  context: Context,
  node: Effect,
  attribute: ManifestAttribute,
  ir: ExpressionIr,
): boolean {
  if (ir.op !== 'number') return true;
  const place = { node: node.value };
  if (node.operator === '=' && (ir.value < attribute.min || ir.value > attribute.max)) {
    const bound = ir.value < attribute.min ? attribute.min : attribute.max;
    const range = `${spellQuantity(attribute.min, attribute.unit)} to ${spellQuantity(attribute.max, attribute.unit)}`;
    context.reporter.report('EDL401', place, `'${attribute.name}' ranges from ${range}`, [
      spellQuantity(bound, attribute.unit),
    ]);
    return false;
  }
  if ((node.operator === '*=' && ir.value === 1) || (node.operator === '+=' && ir.value === 0)) {
    context.reporter.report('EDL506', { node }, 'the effect changes nothing');
  }
  return true;
}

/** Two `=` on one attribute of one entity have no order to be decided by; lasting ones are folded apart. */
function refuseSecondSetters(draft: EnvironmentDraft): void {
  const setBy = new Map<string, string>();
  for (const rule of draft.rules) {
    for (const setter of rule.setters) {
      const keys = setter.target.candidates.map(
        (entity) => `${setter.isLasting} ${setter.target.kind} ${setter.attribute} ${entity}`,
      );
      const earlier = setter.isRepeated
        ? rule.ir.name
        : keys.map((key) => setBy.get(key)).find((name) => name !== undefined);
      for (const key of keys) setBy.set(key, rule.ir.name);
      if (earlier === undefined) continue;
      const who = earlier === rule.ir.name ? 'this rule more than once' : `rule '${earlier}' too`;
      draft.context.reporter.report(
        'EDL403',
        { node: setter.node },
        `'${setter.attribute}' of one entity is set by ${who}`,
      );
    }
  }
}

/** Whether the loops unroll to several effects on the same entity. */
function isRepeated(target: TargetValue, sizes: readonly number[]): boolean {
  const ir = target.ir;
  const others = ir.op === 'variable' ? sizes.filter((_, i) => i !== ir.index) : sizes;
  return others.some((size) => size > 1);
}
