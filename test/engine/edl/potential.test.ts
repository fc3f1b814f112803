import { describe, expect, test } from 'vitest';
import { compile, explain } from '../../../src/engine/edl/index.ts';
import { indexManifest } from '../../../src/engine/edl/manifest-index.ts';
import { potentialBound, potentialScale } from '../../../src/engine/edl/potential.ts';
import { arenaHost } from '../../support/edl-arena.ts';
import { testHost } from '../../support/edl-manifests.ts';
import { environmentOf, pointedAt } from '../../support/edl-text.ts';

function potential(declaration: string) {
  const { environment, diagnostics } = compile(environmentOf(declaration), testHost());
  const [reward] = environment?.ir.rewards ?? [];
  if (environment === null || reward === undefined) throw new Error(JSON.stringify(diagnostics));
  const index = indexManifest(environment.manifest);
  return { environment, bound: potentialBound(index, reward), scale: potentialScale(index, reward) };
}

const pull = 'give -min(distance(a, nearest(landmark)), 2 m) to a potential';

describe('potentialBound', () => {
  test.each([
    ['one gift per agent', `reward p { for a in agent ${pull} }`, 2],
    ['two gifts', `reward p { for a in agent give min(a.speed / 1 m/s, 3) to a ${pull} }`, 5],
    [
      'every landmark for every agent',
      `reward p { for l in landmark for a in agent give 0.5 to a potential }`,
      1.5,
    ],
    ['all pairs for the first', 'reward p { for a in agent for b in ally(a) give 0.5 to a potential }', 1],
    ['a whole group', 'reward p { for a in agent give 0.5 to agent potential }', 1.5],
    ['no bound', 'reward p { for a in agent give 1 / (time / 1 steps) to a potential }', Infinity],
  ])('adds up %s', (_, edl, expected) => {
    expect(potential(edl).bound).toBe(expected);
  });
});

describe('potentialScale', () => {
  test('leaves a potential alone whose limit is never reached', () => {
    expect(potential(`reward p { for a in agent ${pull} limit 16% of nominal }`).scale).toBe(1);
    expect(potential(`reward p { for a in agent ${pull} }`).scale).toBe(1);
  });

  test('scales by what 2 max|Φ| is above the limit', () => {
    expect(potential(`reward p { for a in agent ${pull} limit 4% of nominal }`).scale).toBe(1 / 4);
  });

  test('is in the program, which neither limits nor clips', () => {
    const { environment } = potential(`reward p { for a in agent ${pull} limit 4% of nominal }`);
    const { components, constants, sections } = environment.spec.program ?? {
      components: [],
      constants: [],
      sections: { rewards: -1, potentials: 0 },
    };
    expect(components).toEqual([{ name: 'p', halfLifeSteps: 0, episodeLimit: Infinity, isPotential: true }]);
    expect([...constants]).toContain(0.25);
    expect(sections.rewards).toBe(0);
    expect(sections.potentials).toBeGreaterThan(0);
  });
});

describe('a limited potential without a bound', () => {
  test.each([
    ['give 1 / (time / 1 steps) to a', 'a division by what may be 0 has no bound'],
    ['give distance(a, nearest(zone)) to a', 'a distance has no bound'],
  ])('%s is refused with the reason', (gift, says) => {
    const text = environmentOf(`reward p { for a in agent ${gift} potential limit 5% of nominal }`, 'arena');
    const { diagnostics, environment } = compile(text, arenaHost());
    const [found] = diagnostics;
    expect(environment).toBeNull();
    expect(found?.code).toBe('EDL507');
    expect(found?.message).toContain(says);
    expect(found === undefined ? '' : `give ${pointedAt(text, found)} to a`).toBe(gift);
  });

  test('is fine without the limit', () => {
    const text = environmentOf(
      'reward p { for a in agent give distance(a, nearest(zone)) to a potential }',
      'arena',
    );
    expect(compile(text, arenaHost()).diagnostics).toEqual([]);
  });
});

describe('explain of a potential', () => {
  const words = (edl: string) => {
    const result = explain(environmentOf(edl), testHost());
    return 'text' in result ? result.text : JSON.stringify(result);
  };

  test('says what a limit does to it, and that it leaves the best policies alone', () => {
    const text = words(`reward p { for a in agent ${pull} limit 4% of nominal }`);
    expect(text).toContain('γΦ(after) - Φ(before)');
    expect(text).toContain('kept by scaling Φ by 0.25, never by clipping');
    expect(text).toContain('it leaves the best policies of the scenario as they are');
  });

  test('promises the limit of the discounted sum alone', () => {
    const text = words(`reward p { for a in agent ${pull} limit 4% of nominal }`);
    expect(text).toContain('the discounted sum over an episode is within ±1 per agent');
    expect(text).toContain('the plain sum is within it where γ is 1');
    expect(text).not.toContain('limited to');
  });

  test('says that with a decay this is no longer exact', () => {
    const text = words(`reward p { for a in agent ${pull} decay half every 1M steps }`);
    expect(text).toContain('is no longer exact');
  });
});
