import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SeedResult } from './train-seed.ts';

/** A seed, and what it was measured on. Curves repeat bit for bit on the same machine and commit. */
export interface KeptSeed extends SeedResult {
  readonly cpu: string;
}

/** A case's file in `bench/results/learning/`. */
export interface KeptCase {
  /** What the seeds were trained with: they are measured anew when it changes. */
  readonly settings: unknown;
  readonly seeds: readonly KeptSeed[];
}

const fileOf = (name: string): string => join(import.meta.dirname, '../results/learning', `${name}.json`);

/** The seeds kept of a case in their order; null where none was measured. */
export function readKept(name: string): KeptCase | null {
  const file = fileOf(name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KeptCase) : null;
}

/** Adds a seed to its case's file, in place of an earlier one; seeds of other settings are dropped. */
export function keepSeed(name: string, settings: unknown, seed: KeptSeed): void {
  const kept = readKept(name);
  const others = isOf(settings, kept) ? kept.seeds.filter((each) => each.seed !== seed.seed) : [];
  const seeds = [...others, seed].sort((a, b) => a.seed - b.seed);
  const file = fileOf(name);
  mkdirSync(dirname(file), { recursive: true });
  const rows = seeds.map((each) => `    ${JSON.stringify(each)}`).join(',\n');
  writeFileSync(file, `{\n  "settings": ${JSON.stringify(settings)},\n  "seeds": [\n${rows}\n  ]\n}\n`);
}

/** Whether what is kept was trained with these settings. */
export function isOf(settings: unknown, kept: KeptCase | null): kept is KeptCase {
  return kept !== null && JSON.stringify(kept.settings) === JSON.stringify(settings);
}
