import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  binding,
  bindingNames,
  nativePlaybackNames,
  nativeVecEnvNames,
  openBinding,
  requireExports,
} from '../../../src/engine/sim/binding.ts';
import { readManifest, scenarioManifest } from '../../../src/engine/sim/catalogue.ts';

describe('binding', () => {
  test('names exactly what the addon exports, in the same order', () => {
    expect(Object.keys(binding())).toEqual([...bindingNames]);
  });

  test('names exactly the methods of NativeVecEnv, in the same order', () => {
    const methods = Object.getOwnPropertyNames(binding().NativeVecEnv.prototype);
    expect(methods.filter((name) => name !== 'constructor')).toEqual([...nativeVecEnvNames]);
  });

  test('names exactly the methods of NativePlayback, in the same order', () => {
    const methods = Object.getOwnPropertyNames(binding().NativePlayback.prototype);
    expect(methods.filter((name) => name !== 'constructor')).toEqual([...nativePlaybackNames]);
  });
});

describe('an addon of another version', () => {
  const mismatch = (difference: string) =>
    expect.objectContaining({
      code: 'sim.addonMismatch',
      message: expect.stringMatching(new RegExp(`${difference}.*npm run build\``)),
    });

  test('is refused for what it does not export', () => {
    const { trace: _, ...older } = binding();
    expect(() => requireExports(older)).toThrow(mismatch('it has no trace'));
    const NativeVecEnv = class {};
    expect(() => requireExports({ ...binding(), NativeVecEnv })).toThrow(
      mismatch('its batches have no reset'),
    );
    const NativePlayback = class {};
    expect(() => requireExports({ ...binding(), NativePlayback })).toThrow(
      mismatch('its playbacks have no begin'),
    );
  });

  test('is refused for opcodes in another order, of other operands, more or less of them', () => {
    const rows = binding().opcodeRows();
    const withRows = (other: readonly string[]) => () =>
      requireExports({ ...binding(), opcodeRows: () => other });
    const swapped = [...rows];
    [swapped[6], swapped[7]] = ['SUB wrr-', 'ADD wrr-'];
    expect(withRows(rows)).not.toThrow();
    expect(withRows(swapped)).toThrow(mismatch('its opcode 6 is "SUB wrr-", here it is "ADD wrr-"'));
    expect(withRows(rows.with(3, 'LOADX wAE-'))).toThrow(mismatch('its opcode 3 is "LOADX wAE-"'));
    expect(withRows(rows.slice(0, -1))).toThrow(mismatch('its opcode 41 is "none"'));
    expect(withRows([...rows, 'HALT ----'])).toThrow(mismatch('its opcode 42 is "HALT ----"'));
  });

  test('is refused in one line for a manifest that this code cannot read', () => {
    const manifest = { ...scenarioManifest('simple_spread'), numAgents: 'three' };
    expect(() => readManifest('simple_spread', JSON.stringify(manifest))).toThrow(
      mismatch('its manifest of simple_spread differs at "numAgents"'),
    );
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
        message: expect.stringContaining('npm run build:native'),
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
