import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The language thread's entry: its TypeScript source when run from source, else the bundle beside (or above) this one. */
export function languageWorkerPath(): string {
  const self = fileURLToPath(import.meta.url);
  if (self.endsWith('.ts')) return join(dirname(self), '../../workers/language.ts');
  const beside = join(dirname(self), 'language.js');
  return existsSync(beside) ? beside : join(dirname(self), '..', 'language.js');
}
