import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The trainer's entry: its TypeScript source when run from source, else the bundle beside (or above) this one. */
export function defaultTrainerPath(): string {
  const self = fileURLToPath(import.meta.url);
  if (self.endsWith('.ts')) return join(dirname(self), '../../workers/trainer.ts');
  const beside = join(dirname(self), 'trainer.js');
  return existsSync(beside) ? beside : join(dirname(self), '..', 'trainer.js');
}
