import { describe, expect, test } from 'vitest';
import { createVecEnv, scenarioManifest } from '../../../../src/engine/sim/index.ts';
import type { ManifestAttribute, ManifestParameter } from '../../../../src/shared/rl/manifest.ts';
import { specWith } from '../../../support/edl-episodes.ts';
import { Draw } from '../../../support/edl-generator/draw.ts';
import { bearersOf, StateReader } from '../../../support/edl-reference/state-reader.ts';

const numSteps = 60;

/** Parameters at one end of what they may be; counts and what goes with them stay. */
function extremes(parameters: readonly ManifestParameter[], end: 'min' | 'max'): string {
  const taken = parameters.filter(
    ({ kind, structural, name }) => kind === 'float' && !structural && !name.startsWith('episode.'),
  );
  return taken.map(({ name, unit, [end]: value }) => `set ${name} = ${value}${unitOf(unit)}`).join('\n');
}

const unitOf = (unit: string): string => (unit === 'none' ? '' : ` ${unit}`);

/** Whatever a rule may set is at one end, and everybody is pushed about. */
function program(scenario: string, end: 'min' | 'max'): string {
  const manifest = scenarioManifest(scenario, {});
  const writable = manifest.attributes.filter((one) => one.writable && one.kind === 'agent');
  // An attribute of some only is set in a rule of its own, for each of the sets that it is of.
  const rules = writable.flatMap(({ name, unit, of, [end]: value }, i) =>
    (of.length > 0 ? of : ['agent']).map(
      (set) => `rule m${i}_${set} { for a in ${set} then a.${name} = ${value}${unitOf(unit)} }`,
    ),
  );
  const events = manifest.events
    .filter(({ verb, target, amount }) => verb === 'disturb' && target === 'agent' && amount !== null)
    .map(({ name, amount }, i) => {
      const most = `${amount?.max ?? 0}${unitOf(amount?.unit ?? 'none')}`;
      return `event e${i} { every 3 steps for a in agent disturb ${name} a by ${most} }`;
    });
  return [extremes(manifest.parameters, end), ...rules, ...events].join('\n');
}

/** Attributes that were seen outside their bounds. */
function escapees(
  scenario: string,
  declarations: string,
  action: (draw: Draw, n: number) => number,
): string[] {
  const spec = specWith(declarations, scenario);
  const env = createVecEnv(spec, { numEnvs: 1, seed: 9n, firstEpisode: 0 });
  const reader = new StateReader(spec, env.manifest, new Set());
  const found = new Set<string>();
  const watched = env.manifest.attributes.filter(({ writable, nominal }) => !writable && !nominal);
  const draw = new Draw(9);
  for (let t = 0; t < numSteps; t++) {
    env.step(Int32Array.from({ length: env.numAgents }, () => action(draw, env.numActions)));
    reader.restore(env.snapshot(0));
    const world = reader.read(t);
    const isOutside = ({ name, min, max }: ManifestAttribute, entity: number): boolean => {
      const value = world.attribute(name, entity);
      return !(value >= min && value <= max);
    };
    for (const attribute of watched) {
      for (const entity of bearersOf(env.manifest, attribute))
        if (isOutside(attribute, entity))
          found.add(`${attribute.name} ${world.attribute(attribute.name, entity)}`);
    }
  }
  reader.dispose();
  env.dispose();
  return [...found];
}

describe('attributes whose bounds the manifest does not call nominal', () => {
  test.each(['simple_spread', 'simple_adversary', 'capture'])('stay within them: %s', (scenario) => {
    const actions = [(draw: Draw, n: number) => draw.below(n), () => 1, () => 3];
    for (const end of ['min', 'max'] as const)
      for (const action of actions) expect(escapees(scenario, program(scenario, end), action)).toEqual([]);
  });

  test('nominal ones need not', () => {
    const nominal = scenarioManifest('simple_spread', {}).attributes.filter((one) => one.nominal);
    expect(nominal.map(({ name }) => name)).toEqual(['x', 'y', 'vx', 'vy']);
  });
});
