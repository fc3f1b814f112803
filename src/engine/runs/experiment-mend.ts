import type { z } from 'zod';
import { type ExperimentFile, experimentSchema } from './experiment-schema.ts';

/** Stand-ins for what a file lacks or gives wrongly, none of which any later check objects to. */
const standIns = {
  name: 'unnamed',
  budget: { steps: Number.MAX_SAFE_INTEGER, rounds: 1000 },
  seeds: [1],
  objective: { metric: 'episode_return' },
};

/**
 * A file without what the schema refused, so that the rest of it can be checked in the same pass; null where too little
 * is left (no environment, no group).
 */
export function mendFile(value: unknown, error: z.ZodError): ExperimentFile | null {
  if (!isMap(value)) return null;
  const mended = structuredClone(value);
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) removeAt(mended, [...issue.path, key]);
    } else removeAt(mended, issue.path);
  }
  const { budget, objective } = standIns;
  const filled = {
    ...standIns,
    ...mended,
    budget: { ...budget, ...(isMap(mended.budget) && mended.budget) },
    objective: { ...objective, ...(isMap(mended.objective) && mended.objective) },
  };
  return experimentSchema.safeParse(filled).data ?? null;
}

/** Whether a finding about a mended file holds for the file itself: figures of budget and learner may be stand-ins. */
export function holdsUnmended(place: string): boolean {
  if (/(^|\.)learner\.preset$/.test(place)) return true;
  return !/(^|\.)(budget|learner)(\.|$)/.test(place);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function removeAt(root: Record<string, unknown>, path: readonly PropertyKey[]): void {
  const last = path.at(-1);
  let node: unknown = root;
  for (const step of path.slice(0, -1)) node = (node as Record<PropertyKey, unknown> | undefined)?.[step];
  if (isMap(node) && last !== undefined) delete node[String(last)];
  // An item cannot be taken out without moving the others: the whole list goes.
  else if (path.length > 1) removeAt(root, path.slice(0, -1));
}
