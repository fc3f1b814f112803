import {
  declarationKey,
  type VmComponent,
  type VmDeclaration,
  type VmProgram,
} from '../../../shared/rl/vm-program.ts';
import type { EnvironmentIr, ExpressionIr, RewardIr, RuleIr, SetIr, TargetIr } from '../ir.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { type LoweredEntity, type LoweringScope, lowerEntity, lowerSet } from './entities.ts';
import { lowerExpression } from './expressions.ts';
import { type NodeId, ValueGraph } from './graph.ts';
import { LoweringLimit, limits } from './limits.ts';
import { type Action, schedule } from './schedule.ts';

export type LowerResult =
  | { readonly program: VmProgram; readonly costPerStep: number }
  | { readonly program: null; readonly costPerStep: null };

const effectOpcodes = { set: 'SET', scale: 'SCALE', shift: 'SHIFT' } as const;

/**
 * The bytecode of a canonical form: rules, then rewards, each sorted by name, so that equal identities run the same
 * instructions. A null program means the cost bound was passed.
 */
export function lowerEnvironment(ir: EnvironmentIr, index: ManifestIndex): LowerResult {
  try {
    return lowerWithin(ir, index);
  } catch (thrown) {
    if (thrown instanceof LoweringLimit) return { program: null, costPerStep: null };
    throw thrown;
  }
}

function lowerWithin(ir: EnvironmentIr, index: ManifestIndex): LowerResult {
  const constants: number[] = [];
  const declarations: VmDeclaration[] = [];
  const ruleGraph = new ValueGraph(constants);
  const ruleActions = ir.rules.flatMap((rule) => lowerRule(index, ruleGraph, declarations, rule));
  const rewardGraph = new ValueGraph(constants);
  const rewardActions = ir.rewards.flatMap((reward, i) =>
    lowerReward(index, rewardGraph, declarations, reward, i),
  );
  const rules = schedule(ruleGraph, ruleActions);
  const rewards = schedule(rewardGraph, rewardActions);
  const costPerStep = rules.numInstructions + rewards.numInstructions;
  const numRegisters = Math.max(rules.numRegisters, rewards.numRegisters);
  const largestTable = Math.max(numRegisters, constants.length, declarations.length);
  if (costPerStep > limits.maxCostPerStep || largestTable > limits.maxTableEntries) throw new LoweringLimit();
  const program: VmProgram = {
    code: Int32Array.from([...rules.words, ...rewards.words]),
    sections: {
      control: 0,
      npc: 0,
      rules: rules.numInstructions,
      rewards: rewards.numInstructions,
      potentials: 0,
      metrics: 0,
    },
    numRegisters,
    constants: Float64Array.from(constants),
    declarations,
    components: ir.rewards.map((reward) => componentOf(reward, index)),
    metrics: [],
    memory: new Float64Array(0),
    regimes: [],
    regimeWord: -1,
  };
  return { program, costPerStep };
}

function componentOf(reward: RewardIr, index: ManifestIndex): VmComponent {
  const share = reward.limitShare;
  const episodeLimit = share === null ? Infinity : share * index.manifest.nominalReturn;
  return { name: reward.name, halfLifeSteps: reward.halfLifeSteps, episodeLimit, isPotential: false };
}

function lowerRule(
  index: ManifestIndex,
  graph: ValueGraph,
  declarations: VmDeclaration[],
  rule: RuleIr,
): Action[] {
  const declaration = declarations.length;
  const scopes = unroll({ graph, index, variables: [] }, rule.loops);
  declarations.push({
    kind: 'rule',
    name: rule.name,
    key: declarationKey('rule', rule.name),
    instances: scopes.length,
  });
  const actions: Action[] = [{ op: 'DECL', dst: declaration, a: 0, b: null, c: null }];
  for (const scope of scopes) {
    const condition = startInstance(scope, rule.condition, declaration, actions);
    for (const effect of rule.effects) {
      const value = lowerExpression(scope, effect.value);
      for (const { entity, when } of lowerTarget(scope, effect.target, condition)) {
        const kind = index.entitiesByIndex.get(entity)?.kind ?? 'agent';
        const attribute = index.attributes[kind].get(effect.attribute);
        if (attribute === undefined) throw new RangeError(`no attribute ${effect.attribute}`);
        actions.push({ op: effectOpcodes[effect.operator], dst: attribute.id, a: entity, b: value, c: when });
      }
    }
  }
  return actions;
}

function lowerReward(
  index: ManifestIndex,
  graph: ValueGraph,
  declarations: VmDeclaration[],
  reward: RewardIr,
  component: number,
): Action[] {
  const declaration = declarations.length;
  const scopes = unroll({ graph, index, variables: [] }, reward.loops);
  declarations.push({
    kind: 'reward',
    name: reward.name,
    key: declarationKey('reward', reward.name),
    instances: scopes.length,
  });
  const actions: Action[] = [{ op: 'DECL', dst: declaration, a: 0, b: null, c: null }];
  for (const scope of scopes) {
    const condition = startInstance(scope, reward.condition, declaration, actions);
    for (const gift of reward.gifts) {
      const value = lowerExpression(scope, gift.value);
      for (const { entity, when } of lowerTarget(scope, gift.target, condition)) {
        actions.push({ op: 'GIVE', dst: component, a: entity, b: value, c: when });
      }
    }
  }
  return actions;
}

/** One scope per combination of loop members, the first loop outermost. */
function unroll(scope: LoweringScope, loops: readonly SetIr[]): LoweringScope[] {
  const [first, ...rest] = loops;
  if (first === undefined) return [scope];
  return lowerSet(scope, first).flatMap((member) => {
    scope.graph.visit();
    return unroll({ ...scope, variables: [...scope.variables, member] }, rest);
  });
}

function startInstance(
  scope: LoweringScope,
  condition: ExpressionIr,
  declaration: number,
  actions: Action[],
): NodeId {
  const node = lowerExpression(scope, condition);
  actions.push({ op: 'FIRED', dst: declaration, a: node, b: null, c: null });
  return node;
}

/** The fixed entities an effect reaches, each with the condition under which it does. */
function lowerTarget(
  scope: LoweringScope,
  target: TargetIr,
  condition: NodeId,
): { entity: number; when: NodeId }[] {
  const { graph } = scope;
  const reached: readonly LoweredEntity[] =
    target.op === 'each' ? lowerSet(scope, { op: 'set', name: target.set }) : [lowerEntity(scope, target)];
  return reached.flatMap((entity) => {
    if (entity.type === 'fixed') return [{ entity: entity.index, when: condition }];
    return entity.candidates.map((candidate) => {
      const isIt = graph.same(entity.node, graph.number(candidate));
      return { entity: candidate, when: graph.and(condition, isIt) };
    });
  });
}
