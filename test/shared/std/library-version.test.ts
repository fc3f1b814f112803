import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { libraryVersion } from '../../../src/shared/std/library-version.ts';

test('libraryVersion is the one of package.json', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(libraryVersion).toBe(manifest.version);
});
