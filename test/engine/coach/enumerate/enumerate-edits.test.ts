import { describe, expect, test } from 'vitest';
import { coachKinds, grantableKinds } from '../../../../src/engine/coach/config.ts';
import { changesOf, type EditKind, maxOptions } from '../../../../src/engine/coach/enumerate/draft.ts';
import {
  type EnumeratedEdit,
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

function optionsFor(
  text: string,
  group: string,
  excluded: readonly string[] = [],
  catalogue: EnumerationOptions['catalogue'] = 2,
): EnumerationOptions {
  return {
    text,
    environment: compiled(text),
    objective: { metric: 'episode_return', group, better: 'higher' },
    budgetSteps: 400_000,
    excluded: new Set(excluded),
    may: coachKinds,
    catalogue,
    stage: null,
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
    expect(kinds).toEqual([
      ...['remove', 'scale', 'decay', 'limit', 'addReward', 'set', 'addRule'],
      ...['addEvent', 'addConstraint'],
    ]);
  });

  test('offers nothing of which it is told that it comes to nothing', async () => {
    const seen: string[] = [];
    const isFutile: EnumerationOptions['isFutile'] = (candidate, changes) => {
      expect(candidate.identity).not.toBe(compiled(text).identity);
      seen.push(...changes.map(({ target }) => target));
      return changes.some(({ target }) => target.startsWith('rule '));
    };
    const left = await enumerateEdits(coachEdl, { ...optionsFor(text, group), isFutile });
    expect(seen).toHaveLength(edits.flatMap(changesOf).length);
    expect(left).toEqual(edits.filter(({ change }) => !change.target.startsWith('rule ')));
    expect(left.length).toBeLessThan(edits.length);
  });

  test('the first catalogue has none of the newer kinds', async () => {
    const first = await enumerateEdits(coachEdl, optionsFor(text, group, [], 1));
    const kinds = [...new Set(first.map(({ kind }) => kind))];
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

const busyText = `environment busy extends capture {
  event raid "Wounds" { every 20 steps disturb wound red_assault by 20 }
  constraint room "Apart" { for a in red never distance(a, nearest(red)) < 5 m penalty 0.5 to a }
  npc scouts { control blue flee when health < 50 otherwise goto middle }
}
`;

const stagedText = `environment staged extends simple_spread {
  stage near { set landmark.spawn = 0.5 m until success > 40% for 2 evaluations }
  stage wide { set landmark.spawn = 0.8 m until success > 40% }
  stage full { }
}
`;

describe('enumerateEdits', () => {
  test('events, constraints and npcs are turned, and those that are no group of players are taken away', async () => {
    const edits = await enumerate(busyText, 'red');
    const adjusted = edits.filter(({ kind }) => kind === 'adjust');
    expect(adjusted.map(({ change, value }) => `${change.target} ${value}`)).toEqual([
      ...['event raid twice as often', 'event raid 2 times as rare', 'event raid 4 times as rare'],
      ...[0.1, 0.25, 2, 4].map((factor) => `constraint room penalty times ${factor}`),
      ...['npc scouts first bound times 0.5', 'npc scouts first bound times 2'],
    ]);
    expect(adjusted[1]?.change.edl).toContain('every 40 steps');
    expect(adjusted[3]?.change.edl).toContain('penalty 0.05 to a');
    expect(adjusted[7]?.change.edl).toContain('health < 25 otherwise');
    const removed = edits.filter(({ kind }) => kind === 'remove').map(({ target }) => target);
    expect(removed).toEqual(['event raid', 'constraint room']);
  });

  test('templates are as large as the scenario: a field of 100 m, rewards of 0.01 a step', async () => {
    const wide = (await enumerate(busyText, 'red')).find(({ target }) => target === 'Do not crowd together');
    expect(wide?.change.edl).toContain('< 15 m');
    const sparse = await enumerate('environment f extends foraging {}\n', 'agent');
    const near = sparse.find(({ target, value }) => target === 'Be at a food' && value === 'weight 0.5');
    expect(near?.change.edl).toContain('give 0.005 to a');
    expect(near?.change.edl).toContain('< 1.2 m');
  });

  test('a coach that may write stages begins easier, and one that may not knows none of it', async () => {
    const plain = 'environment e extends simple_spread {}\n';
    const may = grantableKinds;
    const edits = await enumerateEdits(coachEdl, { ...optionsFor(plain, 'agent'), may });
    const stages = edits.filter(({ kind }) => kind === 'curriculum');
    expect(stages.length).toBeGreaterThan(3);
    for (const edit of stages) {
      expect(changesOf(edit).map(({ target }) => target)).toEqual(['stage warmup', 'stage whole']);
      const { stages: compiledStages } = compiled(edit.text);
      expect(compiledStages.map(({ until }) => until === null)).toEqual([false, true]);
      for (const change of changesOf(edit)) expect(checkChange(change, compiled(plain), may)).toEqual([]);
    }
    expect((await enumerate(plain, 'agent')).some(({ kind }) => kind === 'curriculum')).toBe(false);
  });

  const battle = 'environment e extends skirmish {}\n';
  const targetsOf = (edits: readonly EnumeratedEdit[], kind: EditKind): Set<string> =>
    new Set(edits.filter((edit) => edit.kind === kind).map(({ change }) => change.target));

  test('the fourth catalogue pays for what the scenario says of agents, and reaches parameters of every sort', async () => {
    const third = await enumerateEdits(coachEdl, optionsFor(battle, 'ally', [], 3));
    const fourth = await enumerateEdits(coachEdl, optionsFor(battle, 'ally', [], 4));
    for (const target of targetsOf(third, 'addReward'))
      expect(targetsOf(fourth, 'addReward')).toContain(target);
    const known = targetsOf(third, 'addReward');
    const added = [...targetsOf(fourth, 'addReward')].filter((target) => !known.has(target));
    expect(added).toEqual([
      ...['sees', 'can_attack', 'attacks'].map((relation) => `reward pay_${relation}_enemy`),
      ...['sees', 'can_attack', 'attacks'].map((relation) => `reward pay_${relation}_mate`),
    ]);
    const attacks = fourth.find(({ change }) => change.target === 'reward pay_attacks_enemy');
    expect(attacks?.target).toBe("Pay for 'attacks' towards an enemy");
    expect(attacks?.change.edl).toContain('when a.attacks(enemy)');
    expect(targetsOf(third, 'set')).not.toContain('set enemy.damage');
    expect(targetsOf(fourth, 'set')).toContain('set enemy.damage');
  });

  test('a parameter that the stage in force sets is not set beside it', async () => {
    const text =
      'environment e extends simple_spread { stage near { set landmark.spawn = 0.3 m until coverage > 50% } stage far { } }\n';
    const settings = async (stage: string): Promise<Set<string>> => {
      const options = { ...optionsFor(text, 'agent', [], 4), may: grantableKinds, stage };
      return targetsOf(await enumerateEdits(coachEdl, options), 'set');
    };
    expect(await settings('near')).not.toContain('set landmark.spawn');
    expect(await settings('near')).toContain('set agent.spawn');
    expect(await settings('far')).toContain('set landmark.spawn');
  });

  test('where members come and go, the fourth catalogue counts distances while there is somebody', async () => {
    const edlOf = async (catalogue: 3 | 4, target: string): Promise<string> =>
      (await enumerateEdits(coachEdl, optionsFor(battle, 'ally', [], catalogue))).find(
        ({ change }) => change.target === target,
      )?.change.edl ?? '';
    expect(await edlOf(3, 'reward chase_enemy')).not.toContain('any(');
    expect(await edlOf(4, 'reward chase_enemy')).toContain('when any(b in enemy)');
    expect(await edlOf(4, 'reward stay_together')).toContain('when any(b in ally(a))');
    expect(await edlOf(4, 'reward approach_ally_start')).not.toContain('any(');
  });

  test('a question about a family of the fourth catalogue has at most eight options', async () => {
    const options = { ...optionsFor(battle, 'ally', [], 4), may: grantableKinds };
    const edits = await enumerateEdits(coachEdl, options);
    const questions = new Map<string, Set<string>>();
    for (const { kind, family, target } of edits) {
      const question = `${kind} ${family ?? ''}`;
      questions.set(question, (questions.get(question) ?? new Set()).add(target));
    }
    expect(questions.has('curriculum another enemy at first')).toBe(true);
    for (const targets of questions.values()) expect(targets.size).toBeLessThanOrEqual(maxOptions);
  });

  test('only what the coach may write is offered', async () => {
    const edits = await enumerateEdits(coachEdl, { ...optionsFor(spreadText, 'agent'), may: ['set'] });
    expect(new Set(edits.map(({ kind }) => kind))).toEqual(new Set(['set']));
  });

  test('with stages, the end of the one that holds is moved, and one but the last is left out', async () => {
    const options = { ...optionsFor(stagedText, 'agent'), may: grantableKinds, stage: 'wide' };
    const edits = (await enumerateEdits(coachEdl, options)).filter(({ kind }) => kind === 'curriculum');
    expect(edits.map(({ change, value }) => `${change.op} ${change.target} ${value}`)).toEqual([
      ...[0.5, 0.8, 1.25].map((factor) => `modify stage wide threshold times ${factor}`),
      'remove stage wide left out',
    ]);
    expect(edits[0]?.change.edl).toContain('until success > 20%');
  });

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
    expect(kinds).toEqual(new Set(['addReward', 'set', 'addRule', 'addEvent', 'addConstraint']));
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
