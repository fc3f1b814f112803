import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { applyChanges } from '../../../../src/engine/edl/edit/apply-changes.ts';
import { format } from '../../../../src/engine/edl/format/format.ts';
import {
  declarationGrammar,
  declarationListGrammar,
  type Grammar,
  longestCompletion,
  proposalGrammar,
  reachableRules,
  renderGbnf,
  walkGrammar,
} from '../../../../src/engine/edl/gbnf/index.ts';
import { parseText } from '../../../../src/engine/edl/parse.ts';
import { declarationKindNames } from '../../../../src/engine/edl/types.ts';
import { proposalBody } from '../../../../src/shared/contract/coach.ts';
import { Draw } from '../../../support/edl-generator/draw.ts';
import { GbnfReader } from '../../../support/gbnf-reader.ts';
import { simHost } from '../../../support/sim-host.ts';

const host = simHost();
const scenarios = host.scenarioNames?.() ?? [];
const numWalks = 1000;

function manifestOf(scenario: string) {
  const manifest = host.manifest(scenario, {});
  if (manifest === null) throw new Error(scenario);
  return manifest;
}

/** Declarations laid out as the only ones of an environment. */
const environmentOf = (scenario: string, declarations: string): string =>
  `environment sampled extends ${scenario} {\n  ${declarations.replaceAll('\n', '\n  ').replaceAll('\n  \n', '\n\n')}\n}\n`;

function walk(grammar: Grammar, count: number, seed: number): string[] {
  const draw = new Draw(seed);
  return Array.from({ length: count }, () => walkGrammar(grammar, () => draw.next()));
}

const errorsOf = (text: string): string[] =>
  compile(text, host)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code} ${message}`);

/** A set and a writable attribute that all of its members have, as `SET.ATTRIBUTE`; null where nothing can be written. */
function writableOf({ sets, attributes }: ReturnType<typeof manifestOf>): string | null {
  const membersOf = (name: string): readonly number[] =>
    sets.find((set) => set.name === name)?.entities ?? [];
  for (const { name, kind, entities, dynamic } of sets) {
    const found = attributes.find(({ of, ...attribute }) => {
      const covered = new Set(of.flatMap(membersOf));
      const isShared = of.length === 0 || entities.every((one) => covered.has(one));
      return attribute.kind === kind && attribute.writable && isShared;
    });
    if (!dynamic && entities.length > 0 && found !== undefined) return `${name}.${found.name}`;
  }
  return null;
}

/** Share of completions that check, by kind, printed beside what the suite says. */
function shares(outcomes: readonly { readonly kind: string; readonly isSound: boolean }[]): string {
  const kinds = [...new Set(outcomes.map(({ kind }) => kind))].sort();
  return kinds
    .map((kind) => {
      const all = outcomes.filter((outcome) => outcome.kind === kind);
      return `${kind} ${all.filter(({ isSound }) => isSound).length}/${all.length}`;
    })
    .join(', ');
}

describe.each(scenarios)('completions for %s', (scenario) => {
  const manifest = manifestOf(scenario);
  const grammar = declarationGrammar({ manifest });

  test(`${numWalks} random ones parse, stand in canonical layout, and at least 99 % check (seed 1)`, () => {
    const outcomes = walk(grammar, numWalks, 1).map((declaration) => {
      const text = environmentOf(scenario, declaration);
      const formatted = format(text);
      expect('text' in formatted ? formatted.text : formatted.diagnostics).toBe(text);
      return { kind: declaration.split(' ')[0] ?? '', isSound: errorsOf(text).length === 0 };
    });
    console.info(`${scenario}: ${shares(outcomes)}`);
    const numSound = outcomes.filter(({ isSound }) => isSound).length;
    expect(numSound / numWalks).toBeGreaterThanOrEqual(0.99);
    for (const kind of new Set(outcomes.map((outcome) => outcome.kind))) {
      const ofKind = outcomes.filter((outcome) => outcome.kind === kind);
      const share = ofKind.filter(({ isSound }) => isSound).length / ofKind.length;
      expect(share, kind).toBeGreaterThanOrEqual(0.95);
    }
  });

  test('every kind that the scenario has something for is among them, and can be asked for alone', () => {
    const expected = declarationKindNames.filter((kind) => {
      if (kind === 'mission' || kind === 'without' || kind === 'schedule') return false;
      if (kind === 'rule') return writableOf(manifest) !== null;
      return kind !== 'capacity' || manifest.capacities.length > 0;
    });
    for (const kind of expected) {
      const [one = ''] = walk(declarationGrammar({ manifest, kinds: [kind] }), 1, 7);
      expect(one.startsWith(`${kind} `), one).toBe(true);
    }
    if (!expected.includes('rule'))
      expect(declarationGrammar({ manifest, kinds: ['rule'] }).root.kind).toBe('never');
  });

  test('the rendered grammar accepts what is walked, and no more white space', () => {
    const reader = new GbnfReader(renderGbnf(grammar));
    const longest = longestCompletion(grammar);
    for (const one of walk(grammar, 60, 3)) {
      expect(one.length).toBeLessThanOrEqual(longest);
      expect(reader.accepts(one), one).toBe(true);
      expect(reader.accepts(`${one} `)).toBe(false);
      expect(reader.accepts(one.replace(' ', '  '))).toBe(false);
    }
    expect(longest).toBeLessThan(850);
  });

  test('what is nearest may be one of which something holds', () => {
    const chosen = /(?:nearest|farthest)\((\w) in [\w()]+ where \1\.\w+ [<>]=? [^()]+\)/;
    const all = walk(declarationGrammar({ manifest, kinds: ['rule', 'reward'] }), 400, 9);
    const found = all.filter((one) => chosen.test(one));
    expect(found.length).toBeGreaterThan(5);
    for (const one of found) expect(errorsOf(environmentOf(scenario, one)), one).toEqual([]);
  });

  test('lists of declarations stand together in one environment (seed 2)', () => {
    const lists = walk(declarationListGrammar({ manifest }, 4), 150, 2);
    const outcomes = lists.map((list) => {
      expect(list.split('\n\n')).toHaveLength(4);
      expect(parseText(environmentOf(scenario, list)).diagnostics).toEqual([]);
      return errorsOf(environmentOf(scenario, list));
    });
    expect(outcomes.filter((errors) => errors.length === 0).length / outcomes.length).toBeGreaterThanOrEqual(
      0.95,
    );
  });

  test('the grammar is small', () => {
    const gbnf = renderGbnf(grammar);
    console.info(`${scenario}: ${reachableRules(grammar).size + 1} rules, ${gbnf.length} bytes`);
    expect(gbnf.length).toBeLessThan(200_000);
    expect(reachableRules(grammar).size).toBeLessThan(600);
  });
});

describe.each(scenarios)('proposals for %s', (scenario) => {
  const manifest = manifestOf(scenario);
  const [set = { name: '' }] = manifest.groups;
  const writable = writableOf(manifest);
  const isOpenToCoach = manifest.parameters.some(({ coach, structural }) => coach && !structural);
  const ruled = <T>(...those: T[]): T[] => (writable === null ? [] : those);
  const base = environmentOf(
    scenario,
    [
      'mission "Win"',
      `reward near {\n  for a in ${set.name}\n  give 0.1 to a\n}`,
      ...ruled(`rule slow {\n  then ${writable} *= 0.5\n}`),
      'issue lost {\n  when success < 50%\n}',
    ].join('\n\n'),
  );
  const grammar = proposalGrammar({
    manifest,
    author: 'coach',
    kinds: ['reward', 'rule', 'set', 'event', 'npc', 'constraint'],
    targets: ['mission', 'reward near', ...ruled('rule slow'), 'issue lost'],
    metrics: ['success', 'episode_return'],
    maxChanges: 2,
    lengths: { analysis: 120, description: 60, why: 60, wish: 40, wishes: 2 },
  });
  const answers = walk(grammar, 300, 4).map((text) => ({ text, body: proposalBody.parse(JSON.parse(text)) }));

  test('are JSON without blanks between its parts, operation, target and text agreeing', () => {
    for (const { text, body } of answers) {
      expect(JSON.stringify(body)).toBe(text);
      for (const { op, target, edl, implementation_hint: hint } of body.changes) {
        if (op === 'remove') expect(edl).toBe('');
        else expect(edl.startsWith(`${target} `), `${target}: ${edl}`).toBe(true);
        expect(op === 'remove' ? target : edl).toContain(hint);
      }
    }
    const reader = new GbnfReader(renderGbnf(grammar));
    for (const { text } of answers.slice(0, 40)) expect(reader.accepts(text), text).toBe(true);
  });

  test('can be applied, all changes of one together, by a coach', () => {
    const refused = answers.flatMap(({ body }) => {
      const result = applyChanges(base, body.changes, host, { author: 'coach' });
      return 'refused' in result ? [`${result.refused.code} ${result.refused.message}`] : [];
    });
    expect(refused.length / answers.length, refused.join('\n')).toBeLessThanOrEqual(0.01);
  });

  test('touch what is there and what is new, never what is a person’s', () => {
    const changes = answers.flatMap(({ body }) => body.changes);
    const ops = new Set(changes.map(({ op, target }) => `${op} ${target.split(' ')[0]}`));
    expect([...ops].sort()).toEqual(
      expect.arrayContaining([
        'add reward',
        ...(isOpenToCoach ? ['add set'] : []),
        'modify reward',
        'remove reward',
        ...ruled('add rule', 'modify rule', 'remove rule'),
      ]),
    );
    if (writable === null) expect([...ops].filter((op) => op.endsWith(' rule'))).toEqual([]);
    expect(changes.filter(({ target }) => /^(mission|issue)/.test(target))).toEqual([]);
    expect(
      changes.some(({ op, target }) => op === 'add' && ['reward near', 'rule slow'].includes(target)),
    ).toBe(false);
  });
});

describe('requests', () => {
  const manifest = manifestOf('simple_spread');

  test('new declarations take the names that are offered', () => {
    const grammar = declarationGrammar({ manifest, kinds: ['reward'], names: ['cover', 'spread_out'] });
    const names = new Set(walk(grammar, 60, 5).map((one) => one.split(' ')[1]));
    expect([...names].sort()).toEqual(['cover', 'spread_out']);
  });

  test('loop variables have no name of an event, a metric or a constraint of the text', () => {
    const events = ['a', 'b', 'w'].map((name) => `event ${name} { at step 3 disturb push agent_0 }`);
    const targets = ['event a', 'event b', 'event w'];
    const grammar = declarationGrammar({ manifest, kinds: ['rule', 'reward', 'constraint'], targets });
    for (const one of walk(grammar, 60, 6)) {
      expect(errorsOf(environmentOf('simple_spread', `${events.join('\n')}\n${one}`)), one).toEqual([]);
    }
  });

  test('conditions may ask about events, schedules enter regimes, and without drops what is inherited', () => {
    const targets = ['event gust', 'regime calm', 'regime storm'];
    const some = (kinds: readonly (typeof declarationKindNames)[number][]): string =>
      walk(declarationGrammar({ manifest, kinds, targets, inherited: ['rule tiring'] }), 400, 6).join('\n\n');
    expect(some(['reward'])).toMatch(/recent\(gust, \d+ steps\)/);
    expect(some(['schedule'])).toMatch(/enter (calm|storm)/);
    expect(some(['without'])).toContain('without rule tiring');
    expect(walk(declarationGrammar({ manifest, kinds: ['mission'] }), 1, 6)[0]).toMatch(/^mission ".+"$/);
  });

  test('schedules over the regimes of a text check (seed 9)', () => {
    const live = manifestOf('capture');
    const regimes = walk(
      declarationGrammar({ manifest: live, kinds: ['regime'], regimes: 'scheduled', names: ['storm'] }),
      40,
      9,
    )
      .filter((regime) => !regime.includes(' default'))
      .slice(0, 12);
    const targets = ['regime calm', 'regime storm'];
    const schedules = walk(declarationGrammar({ manifest: live, kinds: ['schedule'], targets }), 300, 9);
    const entered = schedules.filter((schedule) => schedule.includes('enter storm'));
    for (const [i, schedule] of entered.entries()) {
      const storm = regimes[i % regimes.length] ?? '';
      expect(errorsOf(environmentOf('capture', `regime calm default\n${storm}\n${schedule}`))).toEqual([]);
    }
    expect(entered.length).toBeGreaterThan(50);
  });

  test.each([
    ['capture', Math.hypot(100, 60)],
    ['simple_spread', Math.hypot(4, 4)],
  ])('thresholds of distances span the field of %s', (scenario, diagonal) => {
    const rules = declarationGrammar({ manifest: manifestOf(scenario), kinds: ['rule'] });
    const thresholds = walk(rules, 1500, 12).flatMap((rule) =>
      [...rule.matchAll(/distance\([^<>]*\) [<>]=? ([0-9.]+) m/g)].map((match) => Number(match[1])),
    );
    expect(thresholds.length).toBeGreaterThan(30);
    expect(Math.max(...thresholds)).toBeLessThanOrEqual(diagonal);
    expect(Math.max(...thresholds)).toBeGreaterThan(0.8 * diagonal);
    expect(Math.min(...thresholds)).toBeLessThan(0.2 * diagonal);
  });

  test('a coach is not offered what is reserved to a person', () => {
    const open = (author: 'coach' | 'person'): string[] =>
      walk(declarationGrammar({ manifest, kinds: ['set'], author }), 300, 8).map(
        (one) => one.split(' ')[1] ?? '',
      );
    expect(open('person')).toContain('agent.count');
    const reserved = manifest.parameters
      .filter(({ coach, structural }) => !coach || structural)
      .map(({ name }) => name);
    expect(open('coach').filter((name) => reserved.includes(name))).toEqual([]);
  });

  test('the ends of a range do not cross: each stays on its side of what the other one is by default', () => {
    const foraging = declarationGrammar({ manifest: manifestOf('foraging'), kinds: ['set'] });
    const settings = new Set(walk(foraging, 2000, 10));
    const valuesOf = (name: string): number[] =>
      [...settings]
        .filter((one) => one.startsWith(`set ${name} = `))
        .map((one) => Number(one.split(' ')[3]))
        .sort((a, b) => a - b);
    expect(valuesOf('agent.min_level')).toEqual([1, 2]);
    expect(valuesOf('agent.max_level')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(valuesOf('food.min_level')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(valuesOf('food.max_level')).toContain(0);
  });

  test('a kind that the scenario has nothing for leaves nothing to write', () => {
    expect(declarationGrammar({ manifest, kinds: ['schedule'] }).root.kind).toBe('never');
  });

  test.each([0, 13, 1.5])('a list of %d declarations is refused', (count) => {
    expect(() => declarationListGrammar({ manifest }, count)).toThrow(RangeError);
  });
});
