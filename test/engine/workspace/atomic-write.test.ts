import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeAtomically } from '../../../src/engine/workspace/atomic-write.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('writeAtomically', () => {
  test('replaces the content and leaves no temporary file', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a'), 'old');
    writeAtomically(join(folder, 'a'), Buffer.from('new'));
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('a failure leaves what was there and no temporary file', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'a', 'full'), { recursive: true });
    expect(() => writeAtomically(join(folder, 'a'), Buffer.from('new'))).toThrow();
    expect(readdirSync(folder)).toEqual(['a']);
    expect(readdirSync(join(folder, 'a'))).toEqual(['full']);
  });
});
