import type { Declaration } from '../generated/ast.ts';
import { capacityKind } from './capacity.ts';
import { constraintKind } from './constraint.ts';
import { eventKind } from './event.ts';
import { issueKind } from './issue.ts';
import type { DeclarationKind } from './kind.ts';
import { metricKind } from './metric.ts';
import { missionKind } from './mission.ts';
import { npcKind } from './npc.ts';
import { regimeKind } from './regime.ts';
import { rewardKind } from './reward.ts';
import { ruleKind } from './rule.ts';
import { scheduleKind } from './schedule.ts';
import { settingKind } from './setting.ts';
import { stageKind } from './stage.ts';
import { withoutKind } from './without.ts';

const kinds: { readonly [T in Declaration['$type']]: DeclarationKind<Extract<Declaration, { $type: T }>> } = {
  Mission: missionKind,
  Setting: settingKind,
  Rule: ruleKind,
  Reward: rewardKind,
  Event: eventKind,
  Npc: npcKind,
  Constraint: constraintKind,
  Metric: metricKind,
  Issue: issueKind,
  Regime: regimeKind,
  Schedule: scheduleKind,
  Stage: stageKind,
  Capacity: capacityKind,
  Without: withoutKind,
};

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
