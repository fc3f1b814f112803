import { describe, expect, test } from 'vitest';
import { scenarioManifest } from '../../../../src/engine/sim/index.ts';
import type { ManifestParameter, ScenarioManifest } from '../../../../src/shared/rl/manifest.ts';
import { figure, playEpisodes, specOf } from '../../../support/edl-episodes.ts';
import { literal } from '../../../support/edl-generator/expressions.ts';

const manifest = scenarioManifest('capture', {});
/** Live parameters behind an attribute of agents. */
const live = manifest.parameters.filter(
  ({ live }) => live?.mode === 'value' && isOfAgents(manifest, live.attribute),
);

function isOfAgents({ attributes }: ScenarioManifest, name: string): boolean {
  return attributes.some((attribute) => attribute.name === name && attribute.kind === 'agent');
}

const wantedOf = (parameter: ManifestParameter): number =>
  (parameter.min + Math.min(parameter.max, 3 * parameter.default + 1)) / 3;

const written = (parameter: ManifestParameter): string => {
  const value = wantedOf(parameter);
  return parameter.unit === 'percent' ? literal(100 * value, 'percent') : literal(value, parameter.unit);
};

const unitOf = (attribute: string): string => {
  const unit = manifest.attributes.find(({ name }) => name === attribute)?.unit ?? 'none';
  return unit === 'none' ? '' : ` unit ${literal(1, unit).slice(1).trim()}`;
};

const attributes = [...new Set(live.map((parameter) => parameter.live?.attribute ?? ''))];

/** An environment in which all of them are changed in steps 3 to 6, or never. */
function textWith(schedule: string, ramp = ''): string {
  const settings = live.map((parameter) => `set ${parameter.name} = ${written(parameter)}`);
  const metrics = attributes.flatMap((name) =>
    ['last', 'max', 'min'].map(
      (fold) => `metric ${name}_${fold} { for a in agent a.${name}${unitOf(name)} over episode ${fold} }`,
    ),
  );
  return `environment test extends capture {
    set episode.length = 12
    regime calm default
    regime other { ${settings.join(' ')} ${ramp} }
    ${schedule}
    ${metrics.join('\n')}
  }`;
}

function episode(text: string) {
  const [record] = playEpisodes(specOf(text));
  if (record === undefined) throw new Error('no episode');
  return record;
}

const visit = 'schedule { at step 3 enter other leave after 4 steps }';

describe('regimes', () => {
  const untouched = episode(textWith(''));

  test.each([
    ['', 'at once'],
    ['ramp 3 steps', 'in a ramp'],
    ['ramp 20 steps', 'in a ramp that is cut short'],
  ])('when one is left that was entered%s (%s) every attribute is what it was, bit for bit', (ramp) => {
    const visited = episode(textWith(visit, ramp));
    expect(visited.regimes).toEqual([0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0]);
    for (const name of attributes) {
      expect(figure(visited.metrics, `${name}_last`), name).toEqual(
        figure(untouched.metrics, `${name}_last`),
      );
    }
    const moved = attributes.filter((name) =>
      figure(visited.metrics, `${name}_max`).some(
        (value, a) =>
          value !== figure(untouched.metrics, `${name}_max`)[a] ||
          figure(visited.metrics, `${name}_min`)[a] !== figure(untouched.metrics, `${name}_min`)[a],
      ),
    );
    expect(moved.length).toBeGreaterThan(attributes.length / 2);
  });

  test.each([
    ['', 'at once'],
    ['ramp 3 steps', 'at the end of its ramp'],
  ])('%s a setting is exactly its value %s', (ramp) => {
    const held = episode(textWith('schedule { at step 3 enter other }', ramp));
    const speed = manifest.parameters.find(({ name }) => name === 'assault.speed');
    const set = manifest.sets.find(({ name }) => name === 'assault');
    if (speed === undefined || set === undefined) throw new Error('capture has no assault.speed');
    for (const agent of set.entities) {
      expect(figure(held.metrics, 'speed_last')[agent]).toBe(wantedOf(speed));
    }
  });

  test('an episode begins in the start regime again, whatever the last one ended in', () => {
    const spec = specOf(textWith('schedule { start calm at step 11 enter other }'));
    const [first, second] = playEpisodes(spec, { numEnvs: 2 });
    expect([first?.regimes, second?.regimes]).toEqual([
      [...new Array<number>(11).fill(0), 1],
      [...new Array<number>(11).fill(0), 1],
    ]);
  });
});
