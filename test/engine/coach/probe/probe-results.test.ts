import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDefects } from '../../../../src/engine/coach/probe/defect-files.ts';
import { answersFile, keepProbe, readProbes } from '../../../../src/engine/coach/probe/probe-results.ts';
import { runProbe } from '../../../../src/engine/coach/probe/run-probe.ts';
import { openPrompts } from '../../../../src/engine/coach/prompts/prompt-files.ts';
import { thrownBy } from '../../../support/error-code.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const deps = {
  models: null,
  prompts: openPrompts('.'),
  now: () => 0,
  known: () => ({ find: () => null, keep() {} }),
};
const rules = await runProbe(deps, readDefects(), {
  provider: 'rules',
  model: null,
  prompt: null,
  isShuffled: false,
});

describe('results of probes', () => {
  test('are kept by who was asked and replaced when measured again', () => {
    const root = temporaryFolder();
    expect(readProbes(root)).toEqual([]);
    keepProbe(root, rules);
    keepProbe(root, { ...rules, isShuffled: true });
    keepProbe(root, { ...rules, numDefects: 3 });
    expect(readProbes(root).map(({ isShuffled, numDefects }) => [isShuffled, numDefects])).toEqual([
      [true, rules.numDefects],
      [false, 3],
    ]);
  });

  test('and by how the model was loaded', () => {
    const root = temporaryFolder();
    const setup = {
      modelSha256: 'a',
      contextTokens: 4096,
      gpu: null,
      gpuLayers: 0,
      threads: 2,
      adapters: [],
    };
    const onCard = { ...setup, gpu: 'cuda', gpuLayers: 12 };
    const setups = [setup, onCard, { ...onCard, gpuLayers: 30 }, { ...setup, contextTokens: 2048 }];
    for (const each of setups) keepProbe(root, { ...rules, provider: 'llama', setup: each });
    expect(readProbes(root)).toHaveLength(setups.length);
    const files = setups.map((each) => answersFile(root, { sha256: 'f'.repeat(64), setup: each }));
    expect(new Set(files).size).toBe(setups.length);
    expect(readProbes(root).map((probe) => probe.setup)).toEqual(expect.arrayContaining(setups));
  });

  test('a file that is none is left out', () => {
    const root = temporaryFolder();
    keepProbe(root, rules);
    const folder = join(root, '.gymwright', 'probes');
    writeFileSync(join(folder, 'other.json'), '{"version": 2');
    writeFileSync(join(folder, 'damaged.json'), Buffer.from([0xff, 0xfe]));
    expect(readdirSync(folder)).toHaveLength(3);
    expect(readProbes(root)).toEqual([rules]);
  });

  test.skipIf(process.platform !== 'linux')('that cannot be kept are told with what to do', () => {
    expect(thrownBy(() => keepProbe('/proc/nowhere', rules)).code).toBe('workspace.readOnly');
  });
});
