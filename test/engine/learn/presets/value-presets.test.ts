import { describe, expect, test } from 'vitest';
import { checkLearner } from '../../../../src/engine/learn/check-learner.ts';
import {
  qmixDefaults,
  valuePresets,
  vdnDefaults,
} from '../../../../src/engine/learn/presets/value-presets.ts';
import { TinyEnv } from '../../../support/tiny-game.ts';
import { mortalGame } from '../../../support/tiny-games.ts';

const { groups, episodeLength } = new TinyEnv(mortalGame, 1).manifest;

describe('value presets', () => {
  test.each(
    Object.entries({
      ...valuePresets,
      qmixDefaults: { config: qmixDefaults },
      vdnDefaults: { config: vdnDefaults },
    }),
  )('%s can be trained with as it stands', (_, { config }) => {
    expect(checkLearner(config, { groups, episodeLength })).toEqual([]);
  });

  test('are named after their algorithm and say where they come from', () => {
    for (const [name, { config, source }] of Object.entries(valuePresets)) {
      expect(name.startsWith(`${config.algorithm}-`), name).toBe(true);
      expect(source.length, name).toBeGreaterThan(20);
    }
  });
});
