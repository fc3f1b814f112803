import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { isAlive, ownIdentity } from '../../../src/engine/store/process-identity.ts';

describe('isAlive', () => {
  test('is true of this process, false of one that ended', () => {
    expect(isAlive(ownIdentity())).toBe(true);
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    expect(isAlive({ ...ownIdentity(), pid })).toBe(false);
  });

  test.runIf(process.platform === 'linux')('is false of an earlier process with the same pid', () => {
    expect(isAlive({ ...ownIdentity(), started: '1' })).toBe(false);
  });

  test('cannot be told of another machine', () => {
    expect(isAlive({ ...ownIdentity(), machine: 'elsewhere' })).toBeNull();
  });
});
