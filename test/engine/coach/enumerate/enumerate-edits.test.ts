import { describe, expect, test } from 'vitest';
import { maxOptions } from '../../../../src/engine/coach/enumerate/draft-edits.ts';
import { enumerateEdits } from '../../../../src/engine/coach/enumerate/enumerate-edits.ts';
import { checkChange } from '../../../../src/engine/coach/validate/check-changes.ts';
import { coachEdl, compiled, spreadText } from '../../../support/coach-world.ts';

const adversaryText = `environment adversary extends simple_adversary {
  reward secrecy "Do not give the goal away" { for a in good when distance(a, goal) < 0.5 m give -0.8 to a }
  rule tired "Slow when alone" { for a in good when distance(a, nearest(good)) > 1 m then a.accel *= 0.8 }
}
`;

function enumerate(text: string, group: string, excluded: readonly string[] = []) {
  return enumerateEdits(coachEdl, {
    text,
    environment: compiled(text),
    objective: { metric: 'episode_return', group, better: 'higher' },
    budgetSteps: 400_000,
    excluded: new Set(excluded),
  });
}

const worlds = [
  ['simple_spread', spreadText, 'agent'],
  ['simple_adversary', adversaryText, 'good'],
] as const;

describe.each(worlds)('enumerateEdits of %s', (_, text, group) => {
  const edits = enumerate(text, group);

  test('offers every kind of edit', () => {
    const kinds = [...new Set(edits.map(({ kind }) => kind))];
    expect(kinds).toEqual(['remove', 'scale', 'decay', 'limit', 'addReward', 'set', 'addRule']);
  });

  test('every edit compiles, leads somewhere else, and to no place twice', () => {
    const identities = edits.map((edit) => compiled(edit.text).identity);
    expect(identities).toEqual(edits.map(({ identity }) => identity));
    expect(new Set([...identities, compiled(text).identity]).size).toBe(edits.length + 1);
  });

  test('every edit passes the checks that a model has to pass', () => {
    for (const { change } of edits) expect(checkChange(change, compiled(text))).toEqual([]);
  });

  test('has at most eight targets per kind and eight values per target', () => {
    const count = (keys: readonly string[]): number => new Set(keys).size;
    for (const kind of new Set(edits.map((edit) => edit.kind))) {
      const ofKind = edits.filter((edit) => edit.kind === kind);
      expect(count(ofKind.map(({ target }) => target))).toBeLessThanOrEqual(maxOptions);
      for (const { target } of ofKind) {
        const values = ofKind.filter((edit) => edit.target === target);
        expect(values.length).toBeLessThanOrEqual(maxOptions);
        expect(count(values.map(({ value }) => value))).toBe(values.length);
      }
    }
  });

  test('comes in the same order every time', () => {
    expect(enumerate(text, group)).toEqual(edits);
  });

  test('leaves out what is excluded', () => {
    const first = edits[0]?.identity ?? '';
    expect(enumerate(text, group, [first]).map(({ identity }) => identity)).not.toContain(first);
  });
});

describe('enumerateEdits', () => {
  test('what is declared already is not offered again, only changed', () => {
    const edit = enumerate(spreadText, 'agent').find(
      ({ change }) => change.target === 'reward approach_landmark',
    );
    const again = enumerate(edit?.text ?? '', 'agent').map(({ change }) => `${change.op} ${change.target}`);
    expect(again).toContain('modify reward approach_landmark');
    expect(again).not.toContain('add reward approach_landmark');
  });

  test('a parameter that is set already is modified, one that is not is added', () => {
    const ops = enumerate(spreadText, 'agent')
      .filter(({ kind }) => kind === 'set')
      .map(({ change }) => `${change.op} ${change.target}`);
    expect(ops).toContain('modify set agent.accel');
    expect(ops).toContain('add set agent.size');
  });

  test('a plain scenario offers no removals, and still something', () => {
    const kinds = new Set(
      enumerate('environment e extends simple_spread {}\n', 'agent').map(({ kind }) => kind),
    );
    expect(kinds).toEqual(new Set(['addReward', 'set', 'addRule']));
  });
});
