import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createVecEnv } from '../../../src/engine/sim/index.ts';
import { specWith } from '../../support/edl-episodes.ts';

const page = readFileSync(new URL('../../../docs/scenarios/capture.md', import.meta.url), 'utf8');

/** | `point_0` | 36.7 | 13.2 | 10 | 33.2 | 57.8 | */
const rows = [...page.matchAll(/^\| `(\w+_base|middle|point_\d|lock_\d)` \| ([\d. |]+) \|$/gm)].map(
  (match) => ({
    name: match[1] ?? '',
    told: (match[2] ?? '').split(' | ').map(Number),
  }),
);

const measured = (declarations: string): number[] => {
  const env = createVecEnv(specWith(declarations, 'capture'), { numEnvs: 1, seed: 1n, firstEpisode: 0 });
  const values = [...env.probe()];
  env.dispose();
  return values;
};

test('the page tells where the places of the field lie', () => {
  expect(rows.map(({ name }) => name)).toEqual([
    'red_base',
    'blue_base',
    'middle',
    'point_0',
    'point_1',
    'point_2',
    'lock_0',
    'lock_1',
  ]);
  for (const { name, told } of rows) {
    const values = [
      `${name}.x`,
      `${name}.y`,
      `${name}.radius`,
      `distance(${name}, red_base)`,
      `distance(${name}, blue_base)`,
    ];
    const metrics = values.map((value, i) => `metric m${i} { ${value} unit m }`);
    const found = measured(`set lock.count = 2 ${metrics.join(' ')}`).slice(0, values.length);
    expect(found.map((value) => Number(value.toFixed(1)))).toEqual(told);
  }
});

test('the points are as far from one another as the page says', () => {
  const [distance = 0] = measured('metric m { distance(point_0, point_1) unit m }');
  expect(page).toContain(`Two points are ${distance.toFixed(1)} m from the one in the middle`);
});
