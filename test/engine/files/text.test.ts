import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readUtf8 } from '../../../src/engine/files/index.ts';
import { thrownBy } from '../../support/error-code.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a text comes back as its bytes say, and bytes that are none are refused', () => {
  const file = join(temporaryFolder(), 'a.edl');
  writeFileSync(file, '\uFEFFgrün');
  expect(readUtf8(file, 'a.edl')).toBe('\uFEFFgrün');
  writeFileSync(file, Buffer.from('grün', 'latin1'));
  expect(thrownBy(() => readUtf8(file, 'a.edl')).code).toBe('input.invalid');
});
