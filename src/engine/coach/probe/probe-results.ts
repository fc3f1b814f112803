import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ProbeRecord, probeRecord } from '../../../shared/contract/coach-probe.ts';
import type { ModelSetup } from '../../../shared/contract/model-setup.ts';
import { jsonOrNull } from '../../../shared/std/parse-json.ts';
import { fileError, makeFolder, readFileBytes, writeWhole } from '../../files/index.ts';
import type { ModelIdentity } from '../types.ts';

const folderOf = (root: string): string => join(root, '.gymwright', 'probes');

/** Who chose: provider, model and how it was loaded, prompt. */
export function chooserOf({ provider, modelHash, promptHash, setup }: ProbeRecord): string {
  const parts = [provider, modelHash?.slice(0, 16), promptHash?.slice(0, 16), loadedAs(setup)];
  return parts.filter((part) => part !== undefined).join('-');
}

/** One file per chooser and order of the snapshots: measured again, it replaces what was there. */
function nameOf(probe: ProbeRecord): string {
  return `${chooserOf(probe)}${probe.isShuffled ? '-shuffled' : ''}.json`;
}

/** What a model's answers depend on beside its file: other layers on a card, another context, other last bits. */
function loadedAs(setup: ModelSetup | undefined): string | undefined {
  if (setup === undefined) return undefined;
  const { contextTokens, gpu, gpuLayers } = setup;
  return `${contextTokens}-${gpu === null ? 'cpu' : `${gpu}-${gpuLayers}`}`;
}

/** Where the answers of a model lie, as it is loaded. */
export function answersFile(
  root: string,
  { sha256, setup }: Pick<ModelIdentity, 'sha256' | 'setup'>,
): string {
  const parts = ['answers', sha256.slice(0, 16), loadedAs(setup)];
  return join(folderOf(root), `${parts.filter((part) => part !== undefined).join('-')}.jsonl`);
}

/** Keeps a result in the workspace. Throws: workspace.readOnly, workspace.diskFull. */
export function keepProbe(root: string, result: ProbeRecord): void {
  const folder = folderOf(root);
  const path = join(folder, nameOf(result));
  try {
    makeFolder(folder);
    writeWhole(path, `${JSON.stringify(result, null, 1)}\n`);
  } catch (thrown) {
    throw fileError(thrown, 'write', path);
  }
}

/** What was measured in the workspace, by name; files of another version, and damaged ones, are left out. */
export function readProbes(root: string): ProbeRecord[] {
  const folder = folderOf(root);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const parsed = probeRecord.safeParse(jsonOrNull(readFileBytes(join(folder, name), name).toString()));
      return parsed.success ? [parsed.data] : [];
    });
}
