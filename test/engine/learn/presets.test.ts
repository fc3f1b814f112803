import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { learnerCatalogue } from '../../../src/engine/learn/index.ts';
import {
  learnerAlgorithms,
  learnerConfig,
  onPolicyConfig,
  valueConfig,
} from '../../../src/shared/rl/learner-config.ts';

const page = (name: string): string => readFileSync(`docs/learners/${name}.md`, 'utf8');

describe('learnerCatalogue', () => {
  test('defaults and presets are whole and within their ranges', () => {
    const { defaults, presets } = learnerCatalogue;
    expect(Object.keys(defaults)).toEqual([...learnerAlgorithms]);
    for (const [algorithm, config] of Object.entries(defaults)) {
      expect(config.algorithm).toBe(algorithm);
      expect(learnerConfig.parse(config)).toEqual(config);
    }
    for (const [name, { config }] of Object.entries(presets)) {
      expect(name.startsWith(`${config.algorithm}-`), name).toBe(true);
      expect(learnerConfig.parse(config), name).toEqual(config);
    }
  });

  test('every preset and every setting is documented', () => {
    const index = page('README');
    for (const name of Object.keys(learnerCatalogue.presets)) expect(index).toContain(`\`${name}\``);
    for (const [schema, name] of [
      [onPolicyConfig, 'ippo'],
      [valueConfig, 'qmix'],
    ] as const) {
      const text = page(name);
      for (const setting of Object.keys(schema.shape)) {
        if (setting !== 'algorithm') expect(text, `${setting} in ${name}.md`).toContain(`\`${setting}\``);
      }
    }
  });
});
