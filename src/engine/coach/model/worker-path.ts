import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The model host's entry: its TypeScript source when run from source, else the bundle beside (or above) this one. */
export function modelHostPath(): string {
  const self = fileURLToPath(import.meta.url);
  if (self.endsWith('.ts')) return join(dirname(self), '../../../workers/model-host.ts');
  const beside = join(dirname(self), 'model-host.js');
  return existsSync(beside) ? beside : join(dirname(self), '..', 'model-host.js');
}
