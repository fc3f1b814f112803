import { z } from 'zod';
import { call } from './define.ts';

export const engineStatus = z.object({
  version: z.string(),
  pid: z.int(),
  node: z.string(),
  startedAt: z.number(),
  runningRuns: z.int(),
  numCores: z.int(),
});
export type EngineStatus = z.infer<typeof engineStatus>;

export const logLine = z.object({
  at: z.number(),
  level: z.enum(['info', 'warning', 'error']),
  source: z.string().describe('engine, trainer, model-host, coach'),
  runId: z.string().nullable(),
  message: z.string(),
});
export type LogLine = z.infer<typeof logLine>;

export const engine = {
  status: call({ args: z.object({}), result: engineStatus, errors: [], doc: 'Who is answering.' }),
  log: call({ args: z.object({}), result: z.array(logLine), errors: [], doc: 'The last 500 log lines.' }),
};
