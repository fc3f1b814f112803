import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import type { PartReport } from './figure.ts';

interface KeptPart extends PartReport {
  readonly machine: { readonly cpu: string; readonly cores: number };
}

/** A figure that a part of the benchmark left in bench/results/ on a machine like this one; null where there is none. */
export function keptFigure(part: string, name: string): number | null {
  const folder = join(import.meta.dirname, 'results');
  const cpu = os.cpus()[0]?.model;
  const cores = os.availableParallelism();
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const { parts } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      parts: Record<string, KeptPart | undefined>;
    };
    const kept = parts[part];
    if (kept?.machine.cpu !== cpu || kept?.machine.cores !== cores) continue;
    const figure = kept?.figures.find((each) => each.name === name);
    if (figure !== undefined) return figure.value;
  }
  return null;
}
