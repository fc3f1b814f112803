import type { ExportExample } from '../../../shared/contract/coach-export.ts';
import { describeSnapshot } from '../snapshot/describe-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot-schema.ts';

const task =
  'You design training environments for reinforcement-learning agents, written in EDL. Answer with one JSON object ' +
  '{"changes": [{"op": "add" | "modify" | "remove", "target": "reward NAME", "edl": "the whole declaration, empty for remove"}]}: ' +
  'the edit after which the agents do better on the objective.';

/** The question behind an edit that no model was asked for in words: what was measured, and the environment. */
export function editPrompt(snapshot: Snapshot, environment: string): ExportExample['messages'] {
  const told = describeSnapshot(snapshot);
  const content = [
    `Mission: ${told.mission}`,
    `Objective: ${told.objective}`,
    `Progress: ${told.progress}`,
    `Problems found:\n${told.issues}`,
    `Agents:\n${told.agents}`,
    `Reward components per episode, from first to last:\n${told.components}`,
    `Metrics:\n${told.metrics}`,
    `Earlier edits and what they did:\n${told.past}`,
    `What can be used:\n${told.capabilities}`,
    `Environment:\n${environment}`,
  ].join('\n\n');
  return [
    { role: 'system', content: task },
    { role: 'user', content },
  ];
}
