import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareRename, rename } from '../../../../src/engine/edl/assist/index.ts';
import { compile } from '../../../../src/engine/edl/index.ts';
import { arenaHost } from '../../../support/edl-arena.ts';
import { atCursor, withEdits } from '../../../support/edl-cursor.ts';
import { hostWithFiles } from '../../../support/edl-files.ts';

const text = `environment e extends arena {
  event gust { every 3 steps spawn supply at random }
  rule r {
    for a in agent
    when any(b in ally(a) where distance(a, b) < 1 m) and recent(gust, 9 steps)
    then a.charge *= 0.5
  }
  reward near { for a in agent give 1 to a }
  regime calm "still"
  schedule { every 9 steps enter calm }
}`;

const rich = `environment e extends arena {
  constraint c { for a in agent never a.charge > 0.5 }
  event gust { at step 3 spawn supply at random }
  metric late { time unit s }
  rule r { for a in agent when recent(gust, 9 steps) then a.charge *= 0.5 }
  issue i { for zz in agent when zz.c > 2 and late > 1 s }
  regime calm default "still" regime wild "not"
  schedule { every 9 steps enter wild }
}`;

function renamed(word: string, name: string) {
  const { scene, position } = atCursor(text.replace(word, `|${word}`));
  const result = rename(scene, position, name);
  return 'refused' in result ? result.refused : withEdits(text, result.edits);
}

const codesOf = (edl: string): string[] => compile(edl, arenaHost()).diagnostics.map(({ code }) => code);

describe('rename', () => {
  test.each([
    ['a in agent\n    when', 'one', 4],
    ['b in', 'two', 2],
    ['gust {', 'storm', 2],
    ['calm }', 'still', 2],
    ['near', 'close', 1],
  ])('%s gets its name everywhere, and the text means the same', (word, name, times) => {
    const after = renamed(word, name);
    expect(after.split(new RegExp(`\\b${name}\\b`)).length - 1 - (text.split(`"${name}"`).length - 1)).toBe(
      times,
    );
    expect(codesOf(after)).toEqual(codesOf(text));
  });

  test.each([
    ['near', 'r', "there is a rule 'r' already"],
    ['near', '2nd', "'2nd' is no name: names are letters, digits and '_', and begin with no digit"],
    ['near', 'near', "it is called 'near' already"],
    ['b in', 'a', "'a' is already a variable of this declaration"],
    ['a in agent\n    when', 'b', "'b' is already a variable of this declaration"],
    ['b in', 'zone', "'zone' is already a set of the scenario"],
    ['b in', 'distance', "'distance' is already a function of the language"],
    ['b in', 'when', "'when' is already a word of the language"],
    ['charge', 'load', "'charge' is a name of the scenario arena: it cannot be renamed"],
    ['distance', 'far', "'distance' is a word of the language"],
  ])('%s is not renamed to %s', (word, name, reason) => {
    expect(renamed(word, name)).toBe(reason);
  });

  test.each([
    ['|c { for a', 'zz', "a variable is called 'zz'"],
    ['zz in agent when', 'c', "'c' is already a metric of this text"],
    ['zz in agent when', 'm', "'m' is already a word of the language"],
    ['gust { at', 'every', "'every' is already a word of the language"],
    ['late { time', 'every', "'every' is already a word of the language"],
    ['r { for', 'constraint_violations', "'constraint_violations' is the metric that sums all violations"],
    ['r { for', 'late', "there is a metric 'late' already"],
  ])('%s is not renamed to %s where something names it', (word, name, reason) => {
    const at = rich.indexOf(word.replace('|', ''));
    const { scene, position } = atCursor(`${rich.slice(0, at)}|${rich.slice(at)}`);
    const result = rename(scene, position, name);
    expect('refused' in result ? result.refused : result.edits).toContain(reason);
  });

  test('a text with errors of its own may be renamed in', () => {
    const edl =
      'environment e extends arena { rule r { for a in agent then a.charge *= b } rule s { then x.y = 1 } }';
    const { scene, position } = atCursor(edl.replace('r {', 'r| {'));
    expect(rename(scene, position, 't')).toHaveProperty('edits');
  });

  test('what another file declares is renamed there', () => {
    const host = hostWithFiles({
      '/base.edl': 'environment base extends spread { reward near { give 1 to agent } }',
    });
    const { scene, position } = atCursor(
      'environment e extends "base.edl" { without reward ne|ar }',
      host,
      '/e.edl',
    );
    expect(prepareRename(scene, position)).toEqual({
      refused: "reward 'near' is declared in /base.edl: rename it there",
    });
  });

  test('never breaks a text (seeded)', () => {
    const names = [
      'zz',
      'a',
      'c',
      'calm',
      'agent',
      'x',
      'gust',
      'every',
      'potential',
      'constraint_violations',
    ];
    const places = [text, rich].flatMap((edl) =>
      [...edl.matchAll(/[a-z_]+/g)].map(({ index }) => ({ edl, at: index })),
    );
    const property = fc.property(
      fc.constantFrom(...places),
      fc.constantFrom(...names),
      ({ edl, at }, name) => {
        const { scene, position } = atCursor(`${edl.slice(0, at)}|${edl.slice(at)}`);
        const result = rename(scene, position, name);
        if ('edits' in result) expect(codesOf(withEdits(edl, result.edits))).toEqual(codesOf(edl));
      },
    );
    fc.assert(property, { seed: 5, numRuns: 300 });
    expect(codesOf(rich)).toEqual([]);
  });
});
