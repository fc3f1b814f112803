import type {
  Declaration,
  Effect,
  Environment,
  Npc,
  Rule,
  Target,
} from '../../../src/engine/edl/generated/ast.ts';
import type { ScenarioManifest } from '../../../src/shared/rl/manifest.ts';
import { type ExpressionEvaluator, ReferenceTrap } from './expressions.ts';
import { and } from './logic.ts';
import { findSet, nobody } from './sets.ts';
import { emptyScope, type Scope } from './state-view.ts';

type Kind = Declaration['$type'];

/** Declarations of some kinds in order of name: the order of the text means nothing. */
export function declarationsOf<K extends Kind>(
  ast: Environment,
  ...kinds: readonly K[]
): Extract<Declaration, { $type: K; name: string }>[] {
  const isOne = (node: Declaration): node is Extract<Declaration, { $type: K; name: string }> =>
    (kinds as readonly Kind[]).includes(node.$type);
  return ast.declarations.filter(isOne).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The instances of a block whose condition holds. An undefined condition traps. */
export function holding(
  evaluator: ExpressionEvaluator,
  node: Pick<Rule, 'name' | 'loops' | 'condition'>,
): Scope[] {
  return evaluator
    .instances(node.loops)
    .filter((scope) => isTrue(evaluator.condition(node.condition, scope), node.name));
}

export function isTrue(value: number, declaration: string): boolean {
  if (Number.isNaN(value)) throw new ReferenceTrap(declaration);
  return value !== 0;
}

export function finite(value: number, declaration: string, bound = Number.MAX_VALUE): number {
  if (!(Math.abs(value) <= bound)) throw new ReferenceTrap(declaration);
  return value;
}

/** What a target reaches: a loop variable, a named entity, the member of a dynamic set, or every member of a set. */
export function reached(evaluator: ExpressionEvaluator, target: Target, scope: Scope): number[] {
  const set = scope.has(target.name) ? undefined : findSet(evaluator.at.world.manifest, target.name);
  if (set === undefined || set.dynamic) return [evaluator.entityNamed(target.name, scope)];
  return evaluator.present(set.entities);
}

interface Fold {
  set: number | null;
  product: number;
  sum: number;
}

/** Effects on attributes by "name entity", in the order in which they came. */
export class Folds {
  readonly #folds = new Map<string, Fold>();

  add(key: string, operator: Effect['operator'], value: number): void {
    const fold = this.#folds.get(key) ?? { set: null, product: 1, sum: 0 };
    if (operator === '=') fold.set = value;
    else if (operator === '*=') fold.product *= value;
    else fold.sum += value;
    this.#folds.set(key, fold);
  }

  /** What the attributes become: set, then products, then sums, then the manifest's bounds. */
  apply(manifest: ScenarioManifest, base: (name: string, entity: number) => number): Map<string, number> {
    const result = new Map<string, number>();
    for (const [key, fold] of this.#folds) {
      const [name = '', entity = ''] = key.split(' ');
      const before = base(name, Number(entity));
      const value = (fold.set ?? before) * fold.product + fold.sum;
      result.set(key, Number.isNaN(value) ? before : bounded(manifest, name, Number(entity), value));
    }
    return result;
  }
}

export function bounded(manifest: ScenarioManifest, name: string, entity: number, value: number): number {
  const kind = entity < manifest.numAgents ? 'agent' : 'landmark';
  const attribute = manifest.attributes.find((one) => one.name === name && one.kind === kind);
  if (attribute === undefined) throw new Error(`reference: no attribute ${name}`);
  return Math.min(Math.max(value, attribute.min), attribute.max);
}

export type FireCounts = Map<string, number>;

export interface RulesOutcome {
  readonly effective: Map<string, number>;
  /** New bases, from the next step on. */
  readonly lasting: Map<string, number>;
}

/** Rules: all read the same state and bases. `effective` holds only what some rule touched. */
export function runRules(
  ast: Environment,
  evaluator: ExpressionEvaluator,
  lastingBase: (name: string, entity: number) => number,
  fired: FireCounts,
): RulesOutcome {
  const folds = { step: new Folds(), lasting: new Folds() };
  for (const rule of declarationsOf(ast, 'Rule')) {
    const scopes = holding(evaluator, rule);
    fired.set(rule.name, scopes.length);
    for (const scope of scopes) collectEffects(evaluator, rule, scope, folds);
  }
  const { manifest } = evaluator.at.world;
  return {
    effective: folds.step.apply(manifest, (name, entity) => evaluator.attribute(entity, name)),
    lasting: folds.lasting.apply(manifest, lastingBase),
  };
}

function collectEffects(
  evaluator: ExpressionEvaluator,
  rule: Rule,
  scope: Scope,
  folds: { readonly step: Folds; readonly lasting: Folds },
): void {
  for (const effect of rule.effects) {
    const entities = reached(evaluator, effect.target, scope);
    if (entities.length === 0) continue;
    const value = finite(evaluator.sum(effect.value, scope), rule.name);
    const into = effect.isLasting ? folds.lasting : folds.step;
    const name = effect.target.path.join('.');
    for (const entity of entities) {
      const unit = effect.operator === '*=' ? 'none' : evaluator.unitOf(entity, name);
      into.add(`${name} ${entity}`, effect.operator, evaluator.stated(value, unit));
    }
  }
}

/** What an agent played by the program does. */
export interface Deed {
  readonly behaviour: string;
  readonly target: number;
}

/** Npcs: per agent the first behaviour whose condition holds. */
export function runNpcs(
  ast: Environment,
  evaluator: ExpressionEvaluator,
  fired: FireCounts,
): Map<number, Deed> {
  const deeds = new Map<number, Deed>();
  for (const npc of declarationsOf(ast, 'Npc')) {
    const agents = evaluator.members({ name: npc.controlled.name }, emptyScope);
    const acting = agents.map((agent) => deedOf(evaluator, npc, agent, deeds));
    fired.set(npc.name, acting.filter((hasActed) => hasActed).length);
  }
  return deeds;
}

/** Whether one of the npc's conditions decided for the agent. What is to be done to nobody is passed over. */
function deedOf(evaluator: ExpressionEvaluator, npc: Npc, agent: number, deeds: Map<number, Deed>): boolean {
  if (!evaluator.isPresent(agent)) return false;
  const scope: Scope = new Map([['self', agent]]);
  const targetOf = (node: Npc['behaviours'][number] | NonNullable<Npc['fallback']>): number | null =>
    node.target === undefined ? null : evaluator.entity(node.target, scope, agent);
  for (const behaviour of npc.behaviours) {
    const target = targetOf(behaviour);
    const holds = and(isSomebody(target), evaluator.condition(behaviour.condition, scope));
    if (!isTrue(holds, npc.name)) continue;
    deeds.set(agent, { behaviour: behaviour.name, target: target ?? nobody });
    return true;
  }
  const { fallback } = npc;
  const target = fallback === undefined ? nobody : targetOf(fallback);
  if (fallback !== undefined && isTrue(isSomebody(target), npc.name))
    deeds.set(agent, { behaviour: fallback.name, target: target ?? nobody });
  return false;
}

/** Of no target at all, that is nothing to ask for; who is undefined may be somebody or not. */
function isSomebody(target: number | null): number {
  if (target === null) return 1;
  return Number.isNaN(target) ? target : Number(target !== nobody);
}
