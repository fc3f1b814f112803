import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ProbeView, probeView } from '../../../shared/contract/coach-probe.ts';
import { makeFolder, readUtf8, writeWhole } from '../../files/index.ts';

const folderOf = (root: string): string => join(root, '.gymwright', 'probes');

/** One file per provider, model, prompt and order of the snapshots: measured again, it replaces what was there. */
function nameOf({ provider, modelHash, promptHash, isShuffled }: ProbeView): string {
  const parts = [
    provider,
    modelHash?.slice(0, 16),
    promptHash?.slice(0, 16),
    isShuffled ? 'shuffled' : undefined,
  ];
  return `${parts.filter((part) => part !== undefined).join('-')}.json`;
}

/** Where the answers of a model lie. */
export function answersFile(root: string, modelHash: string): string {
  return join(folderOf(root), `answers-${modelHash.slice(0, 16)}.jsonl`);
}

/** Keeps a result in the workspace. Throws: workspace.readOnly, workspace.diskFull. */
export function keepProbe(root: string, result: ProbeView): void {
  const folder = folderOf(root);
  makeFolder(folder);
  writeWhole(join(folder, nameOf(result)), `${JSON.stringify(result, null, 1)}\n`);
}

/** What was measured in the workspace, by name; files of another version are left out. */
export function readProbes(root: string): ProbeView[] {
  const folder = folderOf(root);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const parsed = probeView.safeParse(parseJson(readUtf8(join(folder, name), name)));
      return parsed.success ? [parsed.data] : [];
    });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
