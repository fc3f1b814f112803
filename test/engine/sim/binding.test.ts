import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { binding, bindingNames, nativeVecEnvNames, openBinding } from '../../../src/engine/sim/binding.ts';

describe('binding', () => {
  test('names exactly what the addon exports, in the same order', () => {
    expect(Object.keys(binding())).toEqual([...bindingNames]);
  });

  test('names exactly the methods of NativeVecEnv, in the same order', () => {
    const methods = Object.getOwnPropertyNames(binding().NativeVecEnv.prototype);
    expect(methods.filter((name) => name !== 'constructor')).toEqual([...nativeVecEnvNames]);
  });
});

describe('openBinding', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gymwright-binding-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('says how to build an addon that is not there', () => {
    expect(() => openBinding(folder)).toThrow(
      expect.objectContaining({
        code: 'sim.addonMissing',
        message: expect.stringContaining('npx cmake-js compile'),
      }),
    );
  });

  test('says that an addon which cannot be loaded is to be built again', () => {
    mkdirSync(join(folder, 'build/Release'), { recursive: true });
    writeFileSync(join(folder, 'build/Release/gymwright.node'), 'no library');
    expect(() => openBinding(join(folder, 'src'))).toThrow(
      expect.objectContaining({
        code: 'sim.addonMissing',
        message: expect.stringContaining('cannot be loaded'),
      }),
    );
  });
});
