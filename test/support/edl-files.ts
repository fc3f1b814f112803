import { posix } from 'node:path';
import type { EdlHost } from '../../src/engine/edl/types.ts';
import { testHost } from './edl-manifests.ts';

/** The test host with a few files in memory, by absolute path. */
export function hostWithFiles(files: Readonly<Record<string, string>>): EdlHost {
  return {
    ...testHost(),
    text(name, from) {
      const path = posix.resolve(from === null ? '/' : posix.dirname(from), name);
      const text = files[path];
      return text === undefined ? null : { path, text };
    },
  };
}
