import type { ManifestBehaviour } from '../../../shared/rl/manifest.ts';
import type { EnvironmentIr, NpcIr } from '../ir.ts';
import { declareAction, firedAction, instanceCondition, rootScope } from './blocks.ts';
import { indexNode, isSomebody, type LoweringScope, lowerEntity, nobody } from './entities.ts';
import type { NodeId, ValueGraph } from './graph.ts';
import { presenceOf } from './presence.ts';
import type { ProgramTable } from './program-table.ts';
import type { Action } from './schedule.ts';

/** What the agents that the environment plays itself do. */
export function lowerNpcs(table: ProgramTable, graph: ValueGraph, ir: EnvironmentIr): Action[] {
  return ir.npcs.flatMap((npc) => {
    const declaration = table.declare('npc', npc.name, npc.agents.length);
    const root = rootScope(table, graph);
    const actions = npc.agents.flatMap((name) => lowerAgent(root, npc, name, declaration));
    return [declareAction(declaration), ...actions];
  });
}

/** The behaviours of one agent, in order: the machine takes the first that holds. Counted where a condition decided. */
function lowerAgent(root: LoweringScope, npc: NpcIr, name: string, declaration: number): Action[] {
  const { graph } = root;
  const self = lowerEntity(root, { op: 'entity', name });
  if (self.type !== 'fixed') throw new RangeError(`'${name}' is no agent`);
  const scope = { ...root, variables: [self], isPresent: presenceOf(root, self) };
  let decided = graph.number(0);
  const actions = npc.behaviours.map(({ behaviour, target, condition, isOtherwise }): Action => {
    const towards = target === null ? null : lowerEntity(scope, target);
    const holds = instanceCondition(scope, condition);
    const when = towards === null ? holds : graph.and(isSomebody(scope, towards), holds);
    if (!isOtherwise) decided = graph.or(decided, when);
    const entity: NodeId = towards === null ? graph.number(nobody) : indexNode(scope, towards);
    const { id } = behaviourOf(scope, behaviour);
    return { op: 'BEHAVE', dst: id, a: self.index, b: entity, c: when };
  });
  return [firedAction(declaration, decided), ...actions];
}

function behaviourOf({ index }: LoweringScope, name: string): ManifestBehaviour {
  const found = index.behaviours.get(name);
  if (found === undefined) throw new RangeError(`no behaviour ${name}`);
  return found;
}
