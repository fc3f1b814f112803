import { describe, expect, test } from 'vitest';
import { findDefinition, findReferences, type Location } from '../../../../src/engine/edl/assist/index.ts';
import { arenaHost } from '../../../support/edl-arena.ts';
import { atCursor } from '../../../support/edl-cursor.ts';
import { hostWithFiles } from '../../../support/edl-files.ts';

/** Lines of places, counted from one, with the file where it is another. */
const lines = (found: readonly Location[]): string[] =>
  found.map(({ file, range }) => `${file ?? ''}${range.start.line + 1}:${range.start.character + 1}`);

const text = `environment e extends arena {
  set adversary.count = 2
  event gust { every 3 steps spawn supply at random }
  rule r {
    for a in agent
    when any(b in ally(a) where distance(a, b) < 1 m) and recent(gust, 9 steps)
    then a.charge *= 0.5
  }
  rule s { for a in agent when adversary.count > 1 then a.charge *= 0.5 }
  regime calm "still"
  schedule { every 9 steps enter calm }
}`;

function at(word: string, host = arenaHost()) {
  return atCursor(text.replace(word, `|${word}`), host);
}

describe('findDefinition', () => {
  test.each([
    ['a.charge', '5:9'],
    ['b) <', '6:14'],
    ['gust, 9', '3:9'],
    ['calm }', '10:10'],
    ['count > 1', '2:7'],
  ])('of %s is at %s', (word, place) => {
    const { scene, position } = at(word);
    expect(lines(findDefinition(scene, position))).toEqual([place]);
  });

  test('of a name of the scenario is nowhere', () => {
    const { scene, position } = at('charge');
    expect(findDefinition(scene, position)).toEqual([]);
  });

  const host = hostWithFiles({
    '/lib/base.edl': 'environment base extends spread {\n  reward near "x" { give 1 to agent }\n}',
  });

  test.each([
    ['the file itself', 'environment e extends "lib/ba|se.edl" {}', '/lib/base.edl1:1'],
    ['what is dropped', 'environment e extends "lib/base.edl" { without reward ne|ar }', '/lib/base.edl2:10'],
    [
      'what is overridden',
      'environment e extends "lib/base.edl" { reward ne|ar { give 2 to agent } }',
      '/lib/base.edl2:10',
    ],
  ])('finds %s in the file that is extended', (_, marked, place) => {
    const { scene, position } = atCursor(marked, host, '/e.edl');
    expect(lines(findDefinition(scene, position))).toEqual([place]);
  });
});

describe('findReferences', () => {
  test('keeps variables of the same name in other declarations apart', () => {
    const { scene, position } = at('a.charge');
    expect(lines(findReferences(scene, position))).toEqual(['5:9', '6:24', '6:42', '7:10']);
  });

  test('finds a name of the scenario wherever it is used', () => {
    const { scene, position } = at('charge');
    expect(lines(findReferences(scene, position))).toEqual(['7:12', '9:59']);
    const parameter = at('adversary.count');
    expect(lines(findReferences(parameter.scene, parameter.position))).toEqual(['2:7', '9:32']);
  });

  test('finds what a declaration is called by, from either end', () => {
    for (const word of ['gust {', 'gust, 9']) {
      const { scene, position } = at(word);
      expect(lines(findReferences(scene, position))).toEqual(['3:9', '6:66']);
    }
  });

  test('looks into a text that does not parse', () => {
    const { scene, position } = atCursor(
      'environment e extends arena {\nrule r { for a in\nrule s { for |b in agent when b.x > }',
    );
    expect(lines(findReferences(scene, position))).toEqual(['3:14', '3:30']);
  });
});
