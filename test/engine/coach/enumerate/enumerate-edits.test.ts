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

function optionsFor(text: string, group: string, excluded: readonly string[] = []): EnumerationOptions {
  return {
    text,
    environment: compiled(text),
    objective: { metric: 'episode_return', group, better: 'higher' },
    budgetSteps: 400_000,
    excluded: new Set(excluded),
    may: coachKinds,
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

  test('every edit compiles, leads somewhere else, and to no place twice', () => {
    const identities = edits.map((edit) => compiled(edit.text).identity);
    expect(identities).toEqual(edits.map(({ identity }) => identity));
    expect(new Set([...identities, compiled(text).identity]).size).toBe(edits.length + 1);
  });

  test('every edit passes the checks that a model has to pass', () => {
    for (const { change } of edits) expect(checkChange(change, compiled(text))).toEqual([]);
  });

  test('has at most eight targets per kind and family, and eight values per target', () => {
    const count = (keys: readonly string[]): number => new Set(keys).size;
    const sortOf = ({ kind, family }: EnumeratedEdit): string => `${kind} ${family}`;
    for (const sort of new Set(edits.map(sortOf))) {
      const ofKind = edits.filter((edit) => sortOf(edit) === sort);
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

  test('agents are paid for what the scenario says of them, and parameters of every sort are reached', async () => {
    const edits = await enumerate(battle, 'ally');
    const paying = [...targetsOf(edits, 'addReward')].filter((target) => target.startsWith('reward pay_'));
    // Mates are seen, but cannot be attacked.
    expect(paying).toEqual([
      ...['sees', 'can_attack', 'attacks'].map((relation) => `reward pay_${relation}_enemy`),
      'reward pay_sees_mate',
    ]);
    const attacks = edits.find(({ change }) => change.target === 'reward pay_attacks_enemy');
    expect(attacks?.target).toBe("Pay for 'attacks' towards an enemy");
    expect(attacks?.change.edl).toContain('when a.attacks(enemy)');
    expect(targetsOf(edits, 'set')).toContain('set enemy.damage');
  });

  test('a relation is paid for towards those to whom it can hold', async () => {
    const edits = await enumerate('environment e extends capture {}\n', 'red');
    const paying = [...targetsOf(edits, 'addReward')].filter((target) => /pay_(?!sees)/.test(target));
    expect(paying).toEqual(
      ['hits_blue', 'heals_mate', 'threatens_blue', 'owns_point', 'may_take_point'].map(
        (name) => `reward pay_${name}`,
      ),
    );
  });

  const settingsOf = async (text: string, group: string): Promise<Set<string>> =>
    targetsOf(await enumerate(text, group), 'set');

  test('what only built-in play goes by is set where it plays, or where declarations read it', async () => {
    const plain = await settingsOf(battle, 'ally');
    expect(plain).toContain('set ally.health');
    expect(plain).not.toContain('set ally.tactics');
    const environment = compiled(battle);
    const against = async (policy: string): Promise<Set<string>> => {
      const spec = { ...environment.spec, scripted: { enemy: policy } };
      const options = { ...optionsFor(battle, 'ally'), environment: { ...environment, spec } };
      return targetsOf(await enumerateEdits(coachEdl, options), 'set');
    };
    expect(await against('tactics')).toContain('set enemy.tactics');
    expect(await against('focus')).not.toContain('set enemy.tactics');
    const read =
      'environment e extends skirmish { rule r { for a in ally when a.tactics > 0 then a.speed_factor *= 0.5 } }\n';
    expect(await settingsOf(read, 'ally')).toContain('set ally.tactics');
  });

  test('what is so anyway by another name is no choice', async () => {
    const choicesOf = async (text: string, parameter: string, group = 'ally'): Promise<string[]> =>
      (await enumerate(text, group))
        .filter(({ kind, target }) => kind === 'set' && target === parameter)
        .map(({ value }) => value);
    const on = (map: string, settings = ''): string =>
      `environment e extends skirmish { set map = "${map}" ${settings} }\n`;
    // All are marines, who start in a line.
    expect(await choicesOf(on('3m'), 'ally.type')).not.toContain('marine');
    expect(await choicesOf(on('3m', 'set ally.type = marine'), 'ally.type')).not.toContain('born');
    const others = await choicesOf(on('3m', 'set ally.type = stalker'), 'ally.type');
    expect(others).toContain('born');
    expect(others).not.toContain('marine');
    expect(await choicesOf(on('3m'), 'spawn.rule')).toEqual(['surround', 'reflect', 'either']);
    // To a rule that asks what they were made to be it is not the same.
    const asks = 'rule r { for a in ally when a.assigned_type == 1 then a.speed_factor *= 0.5 }';
    expect(await choicesOf(on('3m', asks), 'ally.type')).toContain('marine');
    const grown = 'set ally.capacity = 5 rule r { for a in ally_reserve then a.speed_factor *= 0.5 }';
    const ofReserve = await choicesOf(on('3m', grown), 'ally.reserve_type');
    expect(ofReserve).not.toContain('marine');
    expect(ofReserve).toContain('stalker');
    // Three agents of level 1 make 3 together.
    const field = 'environment e extends foraging { set agent.count = 3 set agent.max_level = 1 }\n';
    expect(await choicesOf(field, 'food.max_level', 'agent')).toEqual(['2', '4', '6', '14']);
    // Who is what is drawn there, or differs within the team.
    expect(await choicesOf(on('smacv2_5'), 'ally.type')).toContain('marine');
    expect(await choicesOf(on('smacv2_5'), 'spawn.rule')).toContain('line');
    expect(await choicesOf(on('2s3z'), 'enemy.type')).toEqual(expect.arrayContaining(['stalker', 'zealot']));
  });

  test('a parameter of what is not in play is not set', async () => {
    expect(await settingsOf('environment e extends capture {}\n', 'red')).not.toContain('set supply.heal');
    const supplied = 'environment e extends capture { event s { every 20 steps spawn supply at random } }\n';
    expect(await settingsOf(supplied, 'red')).toContain('set supply.heal');
    const set = 'environment e extends capture { set supply.heal = 40 }\n';
    expect(await settingsOf(set, 'red')).not.toContain('set supply.heal');
  });

  test('values of a parameter stay where they differ in effect, and of 0 are shares of the range', async () => {
    const valuesOf = async (text: string, parameter: string): Promise<string[]> =>
      (await enumerate(text, 'agent'))
        .filter(({ kind, target }) => kind === 'set' && target === parameter)
        .map(({ value }) => value);
    // A full move comes to 2 m/s; the limit in force is 20 m/s.
    const speeds = await valuesOf('environment e extends simple_spread {}\n', 'agent.max_speed');
    expect(speeds).toEqual(['1 m/s', '1.02 m/s', '1.6 m/s']);
    const foraging = 'environment e extends foraging {}\n';
    expect(await valuesOf(foraging, 'food.respawn')).toEqual(['1 steps', '5 steps', '12 steps', '25 steps']);
    expect(await valuesOf(foraging, 'load.penalty')).toEqual(['0.2', '1', '2.5', '5']);
    expect(await valuesOf(foraging, 'agent.sight')).toEqual(['1', '2', '4']);
  });

  test('a parameter that the stage in force sets is not set beside it', async () => {
    const text = (assignment: string) =>
      `environment e extends simple_spread { stage near "set agent.size = 1" { ${assignment} until coverage > 50% } stage far { } }\n`;
    const settings = async (stage: string | null, assignment = 'set landmark.spawn = 0.3 m') => {
      const options = { ...optionsFor(text(assignment), 'agent'), may: grantableKinds, stage };
      return targetsOf(await enumerateEdits(coachEdl, options), 'set');
    };
    expect(await settings('near')).not.toContain('set landmark.spawn');
    expect(await settings('near')).toContain('set agent.spawn');
    expect(await settings('near')).toContain('set agent.size');
    expect(await settings('far')).toContain('set landmark.spawn');
    // A curriculum begins with its first stage.
    expect(await settings(null)).not.toContain('set landmark.spawn');
    expect(await settings('near', 'set /* m */ landmark.spawn\n= 0.3 m')).not.toContain('set landmark.spawn');
    expect(await settings('near', 'set landmark.spawn= 0.3 m')).not.toContain('set landmark.spawn');
  });

  test('where members come and go, distances count while there is somebody', async () => {
    const edits = await enumerate(battle, 'ally');
    const edlOf = (target: string): string =>
      edits.find(({ change }) => change.target === target)?.change.edl ?? '';
    expect(edlOf('reward chase_enemy')).toContain('when any(b in enemy)');
    expect(edlOf('reward stay_together')).toContain('when any(b in ally(a))');
    expect(edlOf('reward approach_ally_start')).toContain('approach_ally_start');
    expect(edlOf('reward approach_ally_start')).not.toContain('any(');
  });

  test('a question about a family has at most eight options', async () => {
    const options = { ...optionsFor(battle, 'ally'), may: grantableKinds };
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
    const applied: string[] = [];
    const counting: CoachEdl = {
      compile: (text) => {
        compilations++;
        return coachEdl.compile(text);
      },
      applyChanges: (text, changes) => {
        applied.push(JSON.stringify(changes.map(({ op, target, edl }) => [op, target, edl])));
        return coachEdl.applyChanges(text, changes);
      },
    };
    const edits = await enumerateEdits(counting, optionsFor(spreadText, 'agent'));
    expect(compilations).toBe(0);
    expect(applied.length).toBeGreaterThanOrEqual(edits.length);
    expect(new Set(applied).size).toBe(applied.length);
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
