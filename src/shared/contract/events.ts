import { z } from 'zod';
import { proposalView } from './coach.ts';
import { engineStatus, logLine } from './engine.ts';
import { models } from './models.ts';
import { metricPoint, runView, studyView } from './runs.ts';

/** What the engine tells without being asked. Past tense; payloads are whole views, not deltas. */
export const events = {
  'study.changed': studyView,
  'run.changed': runView,
  'metrics.appended': z.object({ runId: z.string(), points: z.array(metricPoint) }),
  'proposal.changed': proposalView,
  'workspace.changed': z.object({ paths: z.array(z.string()) }),
  'engine.changed': engineStatus,
  'model.changed': models.status.result,
  'log.appended': logLine,
} as const;

export type EventName = keyof typeof events;
export type EventPayload<E extends EventName> = z.output<(typeof events)[E]>;
