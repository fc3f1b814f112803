import { appendFileSync, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { jsonOrNull } from '../../../shared/std/parse-json.ts';
import { fileError, makeFolder, readFileBytes } from '../../files/index.ts';
import type { ScoreAnswer } from '../types.ts';

/** Answers of one model, by the hash of the question. */
export interface KnownAnswers {
  find(key: string): ScoreAnswer | null;
  keep(key: string, answer: ScoreAnswer): void;
}

const score = z.object({ logProb: z.number(), numTokens: z.int() });
const line = z.object({
  key: z.string(),
  answer: z.object({
    variants: z.array(z.array(score)),
    promptTokens: z.int(),
    scoredTokens: z.int(),
    durationMs: z.number(),
  }),
});

/**
 * Answers kept in a file, a line each as it comes: a probe that was ended goes on where it stood, and one with shuffled snapshots asks
 * nothing again that has no snapshot in it. A line that was cut off or damaged is left out, and its question put again.
 *
 * Throws on keeping: workspace.readOnly, workspace.diskFull.
 */
export function openKnownAnswers(path: string): KnownAnswers {
  // What is no UTF-8 is replaced: no question has such a key, and no answer such a figure.
  const text = existsSync(path) ? readFileBytes(path, path).toString() : '';
  const known = new Map<string, ScoreAnswer>(readLines(text).map(({ key, answer }) => [key, answer]));
  // What comes after a line that was cut off must not become part of it.
  let lineEnd = text === '' || text.endsWith('\n') ? '' : '\n';
  return {
    find: (key) => known.get(key) ?? null,
    keep(key, answer) {
      known.set(key, answer);
      try {
        makeFolder(dirname(path));
        appendFileSync(path, `${lineEnd}${JSON.stringify({ key, answer })}\n`);
        lineEnd = '';
      } catch (cause) {
        throw fileError(cause, 'write', path);
      }
    },
  };
}

function readLines(text: string): z.infer<typeof line>[] {
  return text.split('\n').flatMap((each) => {
    const parsed = line.safeParse(jsonOrNull(each));
    return parsed.success ? [parsed.data] : [];
  });
}
