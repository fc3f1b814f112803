import type { ManifestBehaviour } from '../../../shared/rl/manifest.ts';
import { elaborateWhen } from '../elaborate/block.ts';
import { type Context, withVariable } from '../elaborate/context.ts';
import { elaborateEntityExpression } from '../elaborate/entity-expression.ts';
import { reportUnknownName } from '../elaborate/unknown-name.ts';
import type { EntityValue } from '../elaborate/value.ts';
import { headline, oneLine } from '../explain/words.ts';
import type { Behaviour, Npc, Otherwise } from '../generated/ast.ts';
import type { EntityIr, NpcIr } from '../ir.ts';
import { alwaysIr } from '../ir-make.ts';
import type { DeclarationKind, EnvironmentDraft } from './kind.ts';

type BehaviourIr = NpcIr['behaviours'][number];

/** `npc NAME { control … BEHAVIOUR when … otherwise … }`: agents that the environment plays itself. */
export const npcKind: DeclarationKind<Npc> = {
  keyword: 'npc',
  nameOf: (node) => node.name,
  docOf: (node) => node.doc ?? '',
  explain({ ir, index }, node) {
    const npc = ir.npcs.find((candidate) => candidate.name === node.name);
    const agents = npc?.agents.join(', ') ?? '';
    const behaviours = [...node.behaviours, ...(node.fallback === undefined ? [] : [node.fallback])];
    const words = behaviours.map((behaviour) => {
      const doc = index.behaviours.get(behaviour.name)?.doc ?? '';
      return `  ${oneLine(behaviour)}${doc === '' ? '' : `: ${doc}`}`;
    });
    const last = node.fallback === undefined ? ['  where none of these holds, no action'] : [];
    return [
      headline('npc', node.name, node.doc),
      `  controls ${agents}; of what holds, the first:`,
      ...words,
      ...last,
    ];
  },
  dependsOn: 'draft',
  elaborate(draft, node) {
    const { context } = draft;
    const self = findControlled(context, node);
    if (self === null) return;
    const inner = asNpc(context, self);
    const behaviours = node.behaviours.map((behaviour) => elaborateBehaviour(inner, behaviour));
    if (node.fallback !== undefined) behaviours.push(elaborateBehaviour(inner, node.fallback));
    const found = behaviours.filter((behaviour) => behaviour !== null);
    const agents = self.candidates.map((agent) => context.index.entitiesByIndex.get(agent)?.name ?? '');
    if (refuseSecondMaster(draft, node, agents) || found.length < behaviours.length) return;
    draft.npcs.push({ ir: { name: node.name, agents, behaviours: found }, node });
  },
  finish(draft) {
    refusePartialGroups(draft);
  },
};

/** What `self` is: each of the controlled agents. */
function findControlled(context: Context, node: Npc): EntityValue | null {
  const { index, reporter } = context;
  const { name } = node.controlled;
  const place = { node: node.controlled, property: 'name' };
  const set = index.sets.get(name);
  const entity = index.entities.get(name);
  const kind = entity?.kind ?? set?.kind;
  const isDynamic = entity === undefined && set?.dynamic === true;
  if (kind === undefined) {
    const sets = [...index.sets.values()].filter(
      (candidate) => candidate.kind === 'agent' && !candidate.dynamic,
    );
    const agents = [...index.groupOf.keys()].map((agent) => index.entitiesByIndex.get(agent)?.name ?? '');
    const known = [...sets.map((candidate) => candidate.name), ...agents];
    reportUnknownName(context, place, { code: 'EDL205', words: 'agent or set' }, name, known);
    return null;
  }
  if (kind !== 'agent' || isDynamic) {
    const reason = isDynamic ? 'who it is changes with the state' : 'landmarks do not act';
    reporter.report('EDL308', place, `'${name}' cannot be controlled: ${reason}`);
    return null;
  }
  const candidates = entity === undefined ? [...(set?.entities ?? [])].sort((a, b) => a - b) : [entity.index];
  return { type: 'entity', ir: { op: 'variable', index: 0 }, kind, candidates, isFixed: true };
}

function asNpc(context: Context, self: EntityValue): Context {
  return { ...withVariable(context, { name: 'self', value: self, isUsed: true }), self };
}

function elaborateBehaviour(context: Context, node: Behaviour | Otherwise): BehaviourIr | null {
  const behaviour = context.index.behaviours.get(node.name);
  if (behaviour === undefined) {
    const known = context.index.behaviours.keys();
    context.reporter.reportUnknown('EDL217', { node, property: 'name' }, 'behaviour', node.name, known);
    return null;
  }
  const aim = readAim(context, node, behaviour);
  if (aim === undefined) return null;
  if (node.$type === 'Otherwise') return asIr(node, aim, alwaysIr);
  const condition = elaborateWhen({ ...context, aim }, node.condition);
  return condition === null ? null : asIr(node, aim, condition);
}

function asIr(
  node: Behaviour | Otherwise,
  aim: EntityValue | null,
  condition: BehaviourIr['condition'],
): BehaviourIr {
  const target: EntityIr | null = aim?.ir ?? null;
  return { behaviour: node.name, target, condition, isOtherwise: node.$type === 'Otherwise' };
}

/** What a behaviour is directed at; null: nothing, or what the scenario chooses; undefined with a diagnostic. */
function readAim(
  context: Context,
  node: Behaviour | Otherwise,
  behaviour: ManifestBehaviour,
): EntityValue | null | undefined {
  if (node.target === undefined) return null;
  const name = behaviour.name;
  if (behaviour.target === 'none') {
    const message = `'${name}' is directed at nothing: write '${name}' alone (${behaviour.doc})`;
    context.reporter.report('EDL313', { node: node.target }, message);
    return undefined;
  }
  const aim = elaborateEntityExpression(context, node.target, `what '${name}' is directed at`);
  if (aim === null) return undefined;
  if (behaviour.target === 'any' || behaviour.target === aim.kind) return aim;
  const wanted = behaviour.target === 'agent' ? 'an agent' : 'a landmark';
  context.reporter.report(
    'EDL313',
    { node: node.target },
    `'${name}' is directed at ${wanted} (${behaviour.doc})`,
  );
  return undefined;
}

function refuseSecondMaster(draft: EnvironmentDraft, node: Npc, agents: readonly string[]): boolean {
  for (const { ir } of draft.npcs) {
    const shared = agents.find((agent) => ir.agents.includes(agent));
    if (shared === undefined) continue;
    const message = `'${shared}' is controlled by npc '${ir.name}' already`;
    draft.context.reporter.report('EDL408', { node: node.controlled }, message);
    return true;
  }
  return false;
}

/** A learner plays whole groups: npcs have all agents of a group, or none. */
function refusePartialGroups(draft: EnvironmentDraft): void {
  const { index, reporter } = draft.context;
  const controlled = new Set(draft.npcs.flatMap(({ ir }) => ir.agents));
  for (const group of index.manifest.groups) {
    const missing = group.agents.filter((agent) => !controlled.has(agent));
    const first = draft.npcs.find(({ ir }) => ir.agents.some((agent) => group.agents.includes(agent)));
    if (first === undefined || missing.length === 0) continue;
    const message = `npcs control a part of group '${group.name}': ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} left to a learner`;
    reporter.report('EDL407', { node: first.node.controlled }, message, [`control ${group.name}`]);
  }
}
