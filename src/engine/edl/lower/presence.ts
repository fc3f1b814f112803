import { appliesTo } from '../manifest-index.ts';
import type { LoweredEntity, LoweringScope } from './entities.ts';
import type { NodeId } from './graph.ts';

/** Whether an entity takes part: 1 where the scenario has no say in it. */
export function presenceOf(scope: LoweringScope, entity: LoweredEntity): NodeId {
  const { graph } = scope;
  if (entity.type === 'fixed') return presenceOfFixed(scope, entity.index);
  const isSomebody = entity.mayBeNobody
    ? graph.not(graph.same(entity.node, graph.number(-1)))
    : graph.number(1);
  const presences = entity.candidates.map((candidate) => presenceOfFixed(scope, candidate));
  if (presences.every((presence) => graph.constantOf(presence) === 1)) return isSomebody;
  return entity.candidates.reduce((present, candidate, i) => {
    const isIt = graph.same(entity.node, graph.number(candidate));
    return graph.or(present, graph.and(isIt, presences[i] ?? graph.number(1)));
  }, graph.number(0));
}

function presenceOfFixed({ graph, index }: LoweringScope, entity: number): NodeId {
  const kind = index.entitiesByIndex.get(entity)?.kind ?? 'agent';
  const name = index.manifest.presence[kind];
  const attribute = name === null ? undefined : index.attributes[kind].get(name);
  if (attribute === undefined || !appliesTo(index, attribute, entity)) return graph.number(1);
  return graph.make('LOAD', attribute.id, entity);
}
