import { describe, expect, test } from 'vitest';
import { maxOptions } from '../../../../src/engine/coach/enumerate/draft-edits.ts';
import {
  type EnumerationOptions,
  enumerateEdits,
} from '../../../../src/engine/coach/enumerate/enumerate-edits.ts';
import type { CoachEdl } from '../../../../src/engine/coach/types.ts';
import { checkChange } from '../../../../src/engine/coach/validate/check-changes.ts';
import { coachEdl, compiled, spreadText } from '../../../support/coach-world.ts';

const adversaryText = `environment adversary extends simple_adversary {
  reward secrecy "Do not give the goal away" { for a in good when distance(a, goal) < 0.5 m give -0.8 to a }
  rule tired "Slow when alone" { for a in good when distance(a, nearest(good)) > 1 m then a.accel *= 0.8 }
}
`;

function optionsFor(text: string, group: string, excluded: readonly string[] = []): EnumerationOptions {
  return {
    text,
    environment: compiled(text),
    objective: { metric: 'episode_return', group, better: 'higher' },
    budgetSteps: 400_000,
    excluded: new Set(excluded),
  };
}

function enumerate(text: string, group: string, excluded: readonly string[] = []) {
  return enumerateEdits(coachEdl, optionsFor(text, group, excluded));
}

const worlds = [
  ['simple_spread', spreadText, 'agent'],
  ['simple_adversary', adversaryText, 'good'],
] as const;

describe.each(worlds)('enumerateEdits of %s', async (_, text, group) => {
  const edits = await enumerate(text, group);

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

  test('comes in the same order every time', async () => {
    expect(await enumerate(text, group)).toEqual(edits);
  });

  test('leaves out what is excluded', async () => {
    const first = edits[0]?.identity ?? '';
    const rest = await enumerate(text, group, [first]);
    expect(rest.map(({ identity }) => identity)).not.toContain(first);
  });
});

describe('enumerateEdits', () => {
  test('what is declared already is not offered again, only changed', async () => {
    const edit = (await enumerate(spreadText, 'agent')).find(
      ({ change }) => change.target === 'reward approach_landmark',
    );
    const next = await enumerate(edit?.text ?? '', 'agent');
    const again = next.map(({ change }) => `${change.op} ${change.target}`);
    expect(again).toContain('modify reward approach_landmark');
    expect(again).not.toContain('add reward approach_landmark');
  });

  test('a parameter that is set already is modified, one that is not is added', async () => {
    const ops = (await enumerate(spreadText, 'agent'))
      .filter(({ kind }) => kind === 'set')
      .map(({ change }) => `${change.op} ${change.target}`);
    expect(ops).toContain('modify set agent.accel');
    expect(ops).toContain('add set agent.size');
  });

  test('a plain scenario offers no removals, and still something', async () => {
    const edits = await enumerate('environment e extends simple_spread {}\n', 'agent');
    const kinds = new Set(edits.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(['addReward', 'set', 'addRule']));
  });

  test('compiles each candidate once and never the environment itself', async () => {
    let compilations = 0;
    const counting: CoachEdl = {
      compile: (text) => {
        compilations++;
        return coachEdl.compile(text);
      },
      applyChanges: coachEdl.applyChanges,
    };
    await enumerateEdits(counting, optionsFor(spreadText, 'agent'));
    expect(compilations).toBe(0);
  });

  test('lets other work of the thread run between drafts', async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const edits = await enumerate(spreadText, 'agent');
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(edits.length);
  });

  test('stops at the next draft when it is aborted', async () => {
    const abort = new AbortController();
    let applied = 0;
    const edl: CoachEdl = {
      compile: coachEdl.compile,
      applyChanges: (text, changes) => {
        if (++applied === 3) abort.abort(new Error('enough'));
        return coachEdl.applyChanges(text, changes);
      },
    };
    await expect(enumerateEdits(edl, optionsFor(spreadText, 'agent'), abort.signal)).rejects.toThrow(
      'enough',
    );
    expect(applied).toBe(3);
  });
});
