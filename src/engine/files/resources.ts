import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `resources/` of this build, with `path` in it: searched upwards from this file, which lies in src or in the bundle. Null where
 * no folder above has it.
 */
export function findResources(path: string): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'resources');
    if (existsSync(join(candidate, path))) return candidate;
    if (folder === dirname(folder)) return null;
  }
}
