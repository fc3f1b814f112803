import type { Declaration } from '../generated/ast.ts';
import { issueKind } from './issue.ts';
import type { DeclarationKind } from './kind.ts';
import { missionKind } from './mission.ts';
import { pendingKind } from './pending.ts';
import { rewardKind } from './reward.ts';
import { ruleKind } from './rule.ts';
import { settingKind } from './setting.ts';

const kinds: { readonly [T in Declaration['$type']]: DeclarationKind<Extract<Declaration, { $type: T }>> } = {
  Mission: missionKind,
  Setting: settingKind,
  Rule: ruleKind,
  Reward: rewardKind,
  Event: pendingKind('event'),
  Npc: pendingKind('npc'),
  Constraint: pendingKind('constraint'),
  Metric: pendingKind('metric'),
  Issue: issueKind,
  Regime: pendingKind('regime'),
  Schedule: pendingKind('schedule'),
  Stage: pendingKind('stage'),
  Capacity: pendingKind('capacity'),
  Without: pendingKind('without'),
};

/** All kinds, in the order in which a formatted text groups them. */
export const declarationKinds = Object.values(kinds);

/** The kind of one declaration; the table's type guarantees that it fits the node. */
export function kindOf<N extends Declaration>(node: N): DeclarationKind<N> {
  return kinds[node.$type] as unknown as DeclarationKind<N>;
}

/** "reward crowding", "set agent.accel", "mission". */
export function targetOf(node: Declaration): string {
  const kind = kindOf(node);
  const name = kind.nameOf(node);
  return name === '' ? kind.keyword : `${kind.keyword} ${name}`;
}
